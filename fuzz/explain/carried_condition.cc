#include "fuzz/explain/carried_condition.h"

#include "fuzz/explain/repeatable.h"
#include "fuzz/explain/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

std::string carried_condition(const Program& part, std::size_t at, const CarriedField& field,
                              AskedBackend& asked, const Documented& documented) {
  if (!field.other) return "";
  for (unsigned round = 0; round <= kOtherData; ++round) {
    Program other = round == 0 ? part : with_data(part, round);
    field.other(other.instructions.back());
    const Instruction own = other.instructions.back();
    if (own == part.instructions.back()) return "";
    Program carried = other;
    if (!field.carry(other.instructions[at], carried.instructions.back())) return "";
    make_room(carried);
    other = carried;
    other.instructions.back() = own;
    if (find_fault(other, documented.readings()) || find_fault(carried, documented.readings())) return "";
    State predicted;
    execute(carried, documented.semantics, predicted);
    if (agrees(other, documented.semantics, predicted, asked.shown())) continue;  // it would not show
    if (says(asked.ask(other), other, documented, asked.shown()) != Says::conforms) return "";
    return ", if its own is " + field.shown(part.instructions.back()) + " (not if it is " + field.shown(own) +
           ")";
  }
  return "";
}

}  // namespace lanecheck
