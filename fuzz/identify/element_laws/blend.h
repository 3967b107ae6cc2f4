// A mask that is applied by arithmetic: old dst * (1 - mask) + result * mask.
#pragma once

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Executes `insn` on `state` in this way if it writes floats lane by lane, or results of a reduction, where
/// a result of no element is the neutral element; and else as documented. `walked`: with its effective repeat
/// times. Elements behind a total stay as they are.
void blend(const Program& program, const Instruction& insn, const Instruction& walked,
           const Semantics& semantics, State& state);

}  // namespace lanecheck
