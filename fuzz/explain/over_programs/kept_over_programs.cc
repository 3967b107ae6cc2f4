#include "fuzz/explain/over_programs/kept_over_programs.h"

#include "fuzz/explain/questions/locate.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// What `program` leaves if its last instruction takes the field from `earlier`. Nothing if it has it
/// already, or if that leads outside of UB.
std::optional<State> left_with(const CarriedField& field, const Instruction& earlier, const Program& program,
                               const Documented& documented) {
  Instruction insn = program.instructions.back();
  if (!field.carry(earlier, insn) || !is_inside_ub(program, insn)) return {};
  State state;
  execute(prefix(program, program.instructions.size() - 1), documented.semantics, state);
  execute_one(program, insn, documented.semantics, state);
  return state;
}

/// Does the backend leave it after `before`, in a new process?
bool leaves(const State& predicted, const Program& program, const std::vector<Program>& before,
            AskAgain& ask) {
  const Asks asks = ask.ask_afresh(program, 1, before);
  return asks.first_wrong && asks.first_wrong->ran() &&
         identical_but_for_nans(program, predicted, asks.first_wrong->state, ask.asked().shown());
}

}  // namespace

std::optional<CarriedField> kept_over_programs(const Finding& finding, AskAgain& ask) {
  if (finding.before.empty() || finding.before.back().instructions.empty() ||
      finding.instruction >= finding.program.instructions.size())
    return {};
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& earlier = finding.before.back().instructions.back();
  for (const CarriedField& field : carried_fields(part.instructions.back())) {
    const auto predicted = left_with(field, earlier, part, ask.documented());
    if (!predicted || !leaves(*predicted, part, finding.before, ask)) continue;
    std::vector<Program> varied = finding.before;
    field.vary(varied.back().instructions.back(), 0);
    if (varied == finding.before) return field;  // a mode, which has no other value to try
    if (find_fault(varied.back(), ask.documented().readings())) return field;
    const auto again = left_with(field, varied.back().instructions.back(), part, ask.documented());
    if (!again || leaves(*again, part, varied, ask)) return field;
  }
  return {};
}

}  // namespace lanecheck
