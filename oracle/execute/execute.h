// The reference executor: what a legal program must do.
#pragma once

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Runs all of `program` from its initial UB and the initial mask; `state` keeps its memory between calls.
void execute(const Program& program, const Semantics& how, State& state);

/// What `i` walks over: takes its mask operand into the register and resolves counter mode. The machine then
/// knows how to gate the instruction that is returned, `i` with its effective repeat times.
Instruction begin(Machine& machine, const Instruction& i);

/// One instruction on a state that is already there.
void execute_one(const Program& program, const Instruction& i, const Semantics& how, State& state);

}  // namespace lanecheck
