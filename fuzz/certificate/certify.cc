#include "fuzz/certificate/certify.h"

#include <algorithm>

#include "fuzz/certificate/covering_masks.h"
#include "fuzz/certificate/mask_coverage.h"
#include "fuzz/run/job.h"
#include "fuzz/run/judge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Case n is the program under mask n. No reading forbids it (masked_program_test).
class MaskChecker final : public CaseChecker {
 public:
  MaskChecker(const Backend& backend, const Readings& readings, const MaskedProgram& program,
              std::span<const MaskWords> masks, std::vector<MaskWords>& met)
      : backend_(backend),
        semantics_(readings),
        shown_(backend.shown(program.program.profile)),
        program_(program),
        masks_(masks),
        met_(met) {}

  bool prepare(std::size_t, std::uint64_t index, Program& program, CaseRecord& record) override {
    program = program_.under(masks_[index]);
    if (auto why = not_on_offer(program, backend_)) record.skipped = std::move(*why);
    return record.skipped.empty();
  }

  void check(std::size_t, const Program& program, std::span<const AnswerView> answers,
             CaseRecord& record) override {
    const AnswerView& answer = answers.front();
    if (const auto* skipped = std::get_if<Skipped>(&answer.outcome)) {
      record.verdict = Verdict::skipped;
      record.skipped = skipped->why;
    } else if (std::holds_alternative<Ran>(answer.outcome) && agrees(program, answer.state)) {
      record.verdict = Verdict::conforms;
      met_.push_back(mask_met(program, program_.at));
    } else {
      record.failed = std::make_unique<FailedCase>(0, program, answers);
    }
  }

 private:
  bool agrees(const Program& program, const State& actual) {
    execute(program, semantics_, expected_);
    return identical(expected_, actual, shown_) || lanecheck::agrees(program, semantics_, actual, shown_);
  }

  const Backend& backend_;
  Semantics semantics_;
  Shown shown_;
  const MaskedProgram& program_;
  std::span<const MaskWords> masks_;
  std::vector<MaskWords>& met_;
  State expected_;
};

/// Why the certificate cannot be given after this case; empty if nothing stands against it. A divergence or
/// refusal goes into `certificate`.
std::string obstacle(CaseRecord& record, std::size_t at, Certificate& certificate) {
  if (!record.done) return "the backend runs no more programs";
  if (record.failed) {
    const MaskWords mask = mask_met(record.failed->program, at);
    if (const auto* errored = std::get_if<Errored>(&record.failed->answers.front().outcome))
      return "the backend fails under mask " + mask_text(mask) + ": " + errored->what;
    certificate.failing_mask = mask;
    certificate.failing = std::move(record.failed->program);
  }
  if (record.verdict == Verdict::skipped) return "a program is skipped: " + record.skipped;
  return {};
}

}  // namespace

std::string mask_text(MaskWords mask) {
  return "high=" + show_hex(mask.high) + " low=" + show_hex(mask.low);
}

std::string Certificate::sentence() const {
  if (!holds()) return {};
  return "any fault of this instruction that depends on at most " + std::to_string(strength) +
         " mask bits was exercised";
}

Certificate Certifier::certify(const MaskedProgram& program) {
  std::vector<MaskWords>& masks = covering_[program.slots];
  if (masks.empty()) masks = covering_masks(program.slots, strength_, between_);
  return certify(program, masks);
}

Certificate Certifier::certify(const MaskedProgram& program, std::span<const MaskWords> masks) {
  Certificate certificate{program.name, program.slots, strength_, 0, {}, {}, {}};
  std::vector<MaskWords> met;
  Job job({&backend_}, std::make_unique<MaskChecker>(backend_, readings_, program, masks, met));
  Block block;
  for (std::size_t first = 0; first < masks.size(); first += block.count) {
    job.run(first, std::min(job.block_size(), masks.size() - first), {}, {}, block);
    certificate.masks = met.size();
    for (std::size_t n = 0; n < block.count; ++n) {
      certificate.why_not = obstacle(block.cases[n], program.at, certificate);
      if (!certificate.holds()) return certificate;
    }
    if (block.given_up.empty()) continue;
    certificate.why_not = "the backend runs no more programs: " + block.given_up;
    return certificate;
  }
  certificate.why_not = why_not_covered(std::move(met), program.slots);
  return certificate;
}

/// The hole that the masks that were run leave; empty if they leave none.
std::string Certifier::why_not_covered(std::vector<MaskWords> met, unsigned slots) {
  std::vector<MaskWords>& proven = proven_[slots];
  if (!proven.empty() && proven == met) return {};
  if (const auto hole = find_hole(met, slots, strength_, between_))
    return "the masks that were run leave a hole: " + describe(*hole);
  proven = std::move(met);
  return {};
}

}  // namespace lanecheck
