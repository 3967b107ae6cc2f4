// What the tests of the rules share: the steps of generated programs, as the oracle executes them.
#pragma once

#include <cstdint>

#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/rules/cell.h"

namespace lanecheck {

/// Executes `program` instruction after instruction, and calls
/// see(instruction, its cell, the state before it, the state after it).
template <class See>
void each_step(const Program& program, const Semantics& semantics, See see) {
  State state{program.ub};
  MaskBits mask;
  for (const Instruction& insn : program.instructions) {
    const State before = state;
    execute_one(program, insn, semantics, state);
    mask.load(insn, semantics.readings);
    const Cell cell = cell_of(resolve(insn, mask, semantics.readings), mask);
    mask.leave(insn, semantics.readings);
    see(insn, cell, before, state);
  }
}

}  // namespace lanecheck
