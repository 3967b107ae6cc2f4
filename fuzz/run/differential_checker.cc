#include "fuzz/run/differential_checker.h"

#include "spec/text/program_text.h"

namespace lanecheck {

bool DifferentialChecker::prepare(std::size_t place, std::uint64_t index, Program& program,
                                  CaseRecord& record) {
  if (indices_.size() <= place) indices_.resize(place + 1);
  indices_[place] = index;
  generate(options_.seed, index, options_.mix, program);
  for (unsigned side = 0; side < 2; ++side)
    for (const Instruction& insn : restrict_to(pair_[side].capabilities, program))
      record.not_offered.push_back(mnemonic(insn));
  for (const Instruction& insn : program.instructions) record.element_checks += element_slots(insn);
  return !program.instructions.empty();
}

void DifferentialChecker::check(std::size_t place, const Program& program, AnswerViews answers,
                                CaseRecord& record) {
  if (either<Skipped>(answers))
    record.verdict = Verdict::skipped;
  else if (either<Errored>(answers) || pair_.matters(program, answers, semantics_))
    record.failed = std::make_unique<FailedCase>(indices_[place], program, answers);
  else
    record.verdict = pair_.differ(answers) ? Verdict::undecided : Verdict::conforms;
}

}  // namespace lanecheck
