// The reference executor: what a legal program must do.
#pragma once

#include <span>

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Runs all of `program` from its initial UB and the initial mask; `state` keeps its memory between calls.
void execute(const Program& program, const Semantics& semantics, State& state);
/// The same, as if `instructions` stood in the program in place of its own.
void execute(const Program& program, std::span<const Instruction> instructions, const Semantics& semantics,
             State& state);

/// What `insn` walks over: takes its mask operand into the register and resolves counter mode. The machine
/// then knows how to gate the instruction that is returned, `insn` with its effective repeat times.
Instruction begin(Machine& machine, const Instruction& insn);

/// What `insn` does to the mask register and its mode, and no more: UB and the compare mask stay as they are.
void pass_over(const Program& program, const Instruction& insn, const Semantics& semantics, State& state);

/// One instruction on a state that is already there.
void execute_one(const Program& program, const Instruction& insn, const Semantics& semantics, State& state);

}  // namespace lanecheck
