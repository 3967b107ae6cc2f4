#include "fuzz/explain/questions/predicted_part.h"

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

State PredictedPart::before_of(const Program& program, std::size_t count) const {
  State state;
  execute(prefix(program, count), documented_.semantics, state);
  return state;
}

bool PredictedPart::agrees(const Program& program, const State& predicted, bool& shows) {
  if (budget_.is_over()) return false;
  const BackendAnswer answer = asked_.ask(program);
  if (!answer.ran() || !identical_but_for_nans(program, predicted, answer.state, asked_.shown()))
    return false;
  shows |= diverges(answer, program, documented_, asked_.shown());
  return true;
}

bool PredictedPart::leaves_all(const Program& program, bool& shows) {
  if (find_fault(program, documented_.readings())) return true;
  return agrees(program, before_of(program, program.instructions.size() - 1), shows);
}

bool PredictedPart::leaves_ub_of(const Program& program, const Instruction& insn, const State& before,
                                 const BackendAnswer& answer) const {
  if (!answer.ran()) return false;
  if (const auto model = alone(program, insn, before))
    return leaves_ub(*model, answer.state, documented_.semantics, asked_.shown());
  State predicted = before;  // no program brings it: the compare mask is read, or the mask is empty
  execute_one(program, insn, documented_.semantics, predicted);
  return identical_but_for_nans(program, predicted, answer.state, false);
}

bool PredictedPart::leaves_under(const Program& program, const Mask& mask, State before, bool& shows) {
  before.mask = mask;
  const BackendAnswer answer = asked_.ask(program);
  const Instruction& last = program.instructions.back();
  if (!leaves_ub_of(program, under_register(program.profile, last, before), before, answer)) return false;
  shows |= diverges(answer, program, documented_, asked_.shown());
  return true;
}

bool PredictedPart::would_differ_under(const Program& program, const Mask& mask) const {
  State other = before_of(program, program.instructions.size() - 1);
  other.mask = mask;
  execute_one(program, under_register(program.profile, program.instructions.back(), other),
              documented_.semantics, other);
  return !same_bytes(other.ub, before_of(program, program.instructions.size()).ub);
}

}  // namespace lanecheck
