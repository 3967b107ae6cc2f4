#include "fuzz/run/unstable_cases.h"

#include <algorithm>
#include <bit>

#include "fuzz/explain/measured/measured_cause.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// So many cases are asked about after the programs of a state-dependent bucket, and later fewer and fewer.
constexpr std::uint64_t kMostCompared = 16;
// So many generated cases for each earlier case that is wanted: the backend may skip most of them.
constexpr std::size_t kMostMade = 16;

}  // namespace

bool UnstableCases::is_stable(const Program& program, bool afresh) {
  AskAgain ask(asked_, documented_, kAsks);
  return lanecheck::is_stable(program, ask, afresh);
}

/// Does the first instruction with a wrong result belong to the family that the bucket is named after?
bool UnstableCases::is_of_family(const Bucket& bucket, const FailedCase& failed) const {
  const Symptom symptom =
      symptom_of(failed.program, failed.answers.front().state, documented_, asked_.shown());
  return std::ranges::any_of(failed.program.instructions, [&](const Instruction& insn) {
    return mnemonic(insn) == symptom.instruction &&
           bucket.finding.id == "random-" + family_of(insn, documented_);
  });
}

Bucket* UnstableCases::bucket_of(const FailedCase& failed, Buckets& buckets) {
  Bucket* const first_state =
      buckets.find([](const Bucket& each) { return each.finding.repeats == Repeats::state_dependent; });
  Bucket* const of_family = buckets.find([&](const Bucket& each) {
    return each.finding.repeats == Repeats::random && is_of_family(each, failed);
  });
  if (first_state != nullptr) {
    if (++compared_ > kMostCompared && !std::has_single_bit(compared_))
      return of_family != nullptr ? of_family : first_state;
    AskAgain ask(asked_, documented_, kMostUnstablePrograms);
    Bucket* const same = buckets.find([&](const Bucket& each) {
      return !each.finding.before.empty() && brings_about(each.finding.before, failed.program, ask);
    });
    ask.start_afresh();
    if (same != nullptr) return same;
  }
  return of_family;
}

std::vector<Program> UnstableCases::cases_before(std::uint64_t index, std::size_t count) {
  std::vector<Program> programs;
  std::size_t left = kMostMade * count;
  for (std::uint64_t at = index; at > options_.first && programs.size() < count && left > 0; --at, --left) {
    Program program;
    CaseRecord record;
    record.clear();
    if (maker_.prepare(0, at - 1, program, record)) programs.push_back(std::move(program));
  }
  std::ranges::reverse(programs);
  return programs;
}

Finding UnstableCases::explain_after(const History& history, const Program& program,
                                     const BackendAnswer& first) {
  Finding finding = explain_unstable(program, first, history, asked_, documented_, options_.minimize);
  AskAgain(asked_, documented_, 0).start_afresh();
  return finding;
}

Finding UnstableCases::explain(const Program& program, const BackendAnswer& first, std::uint64_t index) {
  return explain_after([&](std::size_t count) { return cases_before(index, count); }, program, first);
}

std::optional<Finding> UnstableCases::explain_part(const Program& part, const FailedCase& failed) {
  if (part == failed.program) return {};
  const BackendAnswer first = asked_.ask(part);
  if (!first.ran() || is_stable(part, true)) return {};
  const auto history = [&](std::size_t count) {
    std::vector<Program> programs = cases_before(failed.index, count - 1);
    programs.push_back(failed.program);
    return programs;
  };
  Finding finding = explain_after(history, part, first);
  return finding.repeats == Repeats::stable ? std::nullopt : std::optional(std::move(finding));
}

}  // namespace lanecheck
