// What a diverging case shows without a question to the backend: where it is wrong first, and in which way.
// Cases of a measured cause are recognized by it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

struct Symptom {
  /// The first instruction with a wrong byte in its dst, with types; "mask" if only the mask is wrong.
  std::string instruction;
  bool changed = false;  ///< bytes that must stay as they were before the program have changed
  bool stayed = false;   ///< bytes that must change have stayed
  bool others = false;   ///< bytes hold neither the expected nor the old value
};

/// The only instruction with operands, which must be the wrong one; null if there are several.
const Instruction* only_instruction(const Program& program);
/// The instruction in which a further case of `finding` shows the cause, if it is clear. `differs`: are bytes
/// of UB wrong? Where the finding is about a mask that is set, a register that is wrong at the end says
/// nothing of the instructions before, nor does one that does not obey the mask.
const Instruction* instruction_seen(const Finding& finding, const Program& program,
                                    const std::function<bool()>& differs);

Symptom symptom_of(const Program& program, const State& actual, const Documented& documented, Shown shown);

/// Is one of `known` the same instruction, and does each way in which `symptom` is wrong occur in `known`?
bool fits(const Symptom& symptom, const std::vector<Symptom>& known);

}  // namespace lanecheck
