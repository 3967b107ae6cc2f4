// One repeat of an instruction, as an instruction of its own.
#pragma once

#include <cstdint>

#include "spec/mask/footprint.h"
#include "spec/program/instruction_table.h"

namespace lanecheck {

/// Repeat `repeat` of `insn` alone. An operand that offsets point into stays where it is.
inline Instruction one_repeat(Instruction insn, unsigned repeat) {
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    if (row_of(insn.op).operands[k].walk != Walk::indexed)
      insn.operands[k].offset += static_cast<std::uint32_t>(repeat * repeat_step(insn, k));
  insn.repeat = 1;
  return insn;
}

}  // namespace lanecheck
