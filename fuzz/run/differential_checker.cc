#include "fuzz/run/differential_checker.h"

#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::string skip_reason(AnswerViews answers) {
  for (const AnswerView& each : answers)
    if (const auto* skipped = std::get_if<Skipped>(&each.outcome)) return skipped->why;
  return {};
}

}  // namespace

DifferentialChecker::DifferentialChecker(const RunOptions& options, const BackendPair& pair)
    : options_(options),
      pair_(pair),
      semantics_(options.readings),
      departs_(options.readings != default_readings(options.mix.profile)) {}

bool DifferentialChecker::prepare(std::size_t place, std::uint64_t index, Program& program,
                                  CaseRecord& record) {
  if (indices_.size() <= place) indices_.resize(place + 1);
  indices_[place] = index;
  generate(options_.seed, index, options_.mix, program);
  for (unsigned side = 0; side < 2; ++side)
    for (const Instruction& insn : restrict_to(pair_[side].capabilities, program))
      record.not_offered.push_back(mnemonic(insn));
  const bool whole = record.not_offered.empty();
  const bool may_be_illegal = !whole || departs_;
  if (!program.instructions.empty() && !(may_be_illegal && find_fault(program, options_.readings)))
    return true;
  record.skipped = whole ? "the chosen readings forbid the program"
                         : "nothing legal is left without the instructions that one of the two backends does "
                           "not offer";
  return false;
}

void DifferentialChecker::check(std::size_t place, const Program& program, AnswerViews answers,
                                CaseRecord& record) {
  if (both_ran(answers))
    for (const Instruction& insn : program.instructions) record.element_checks += element_slots(insn);
  if (either<Skipped>(answers)) {
    record.verdict = Verdict::skipped;
    record.skipped = skip_reason(answers);
  } else if (either<Errored>(answers) || pair_.matters(program, answers, semantics_)) {
    record.failed = std::make_unique<FailedCase>(indices_[place], program, answers);
  } else {
    record.verdict = pair_.differ(answers) ? Verdict::undecided : Verdict::conforms;
  }
}

}  // namespace lanecheck
