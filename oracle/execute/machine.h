// The machine while it executes: UB, the mask, and what the mask says of the lanes of one repeat.
#pragma once

#include <algorithm>

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

inline constexpr Mask kNoGate = kFullMask;

struct Machine {
  const Program& program;
  const Semantics& semantics;
  std::byte* ub;
  std::size_t ub_bytes;
  Mask& mask;
  Mode& mode;
  std::array<std::byte, 16>& cmpmask;
  bool counts = false;      ///< a total of elements governs the current instruction
  std::uint64_t total = 0;  ///< the number of these elements
  Mask scratch{};

  Machine(const Program& of, const Semantics& under, State& state)
      : program(of),
        semantics(under),
        ub(state.ub.data()),
        ub_bytes(state.ub.size()),
        mask(state.mask),
        mode(state.mode),
        cmpmask(state.cmpmask) {}

  Register reg() const { return {mask, mode}; }

  std::byte* at(const Operand& operand) const { return ub + start_of(program, operand); }

  /// `bytes` of UB, `offset` after the start of `operand`; null if they are not entirely inside UB. This
  /// happens only under a mutant, which may have overwritten the offsets.
  std::byte* indexed(const Operand& operand, std::uint64_t offset, std::size_t bytes) const {
    const std::uint64_t place = start_of(program, operand) + offset;
    return place + bytes <= ub_bytes ? ub + place : nullptr;
  }

  /// What the mask says of the lanes of one repeat.
  const std::uint8_t* slots(const Instruction& insn, unsigned repeat) {
    if (counts) {
      const unsigned active = semantics.seams.counted(total, repeat, lanes_of(insn));
      const unsigned lanes = std::min(lanes_of(insn), kMaskSlots);
      for (unsigned lane = 0; lane < lanes; ++lane) scratch[lane] = lane < active;
      return scratch.data();
    }
    return semantics.seams.gates(mask, insn, repeat, scratch);
  }

  MaskUse use_of(const Instruction& insn) const { return semantics.use[static_cast<std::size_t>(insn.op)]; }

  /// Which lanes of one repeat may be written: all, unless the instruction gates its writeback.
  const std::uint8_t* write_gate(const Instruction& insn, unsigned repeat) {
    return use_of(insn) == MaskUse::gates_writeback ? slots(insn, repeat) : kNoGate.data();
  }

  /// Does dst accumulate over the repeats of `insn`, because it is its src1 as well, or read anyway?
  bool accumulates_in_dst(const Instruction& insn) const {
    if (row_of(insn.op).reads_dst) return semantics.readings.dst_read_back == DstReadBack::as_left;
    return accumulates(insn) && insn.operands[2] == insn.operands[0];
  }

  /// Repeats run in ascending order. Under the reading alias_winner=first_repeat they run in descending
  /// order, so that the first repeat's write stays, except that an accumulation needs the ascending order.
  unsigned nth_repeat(const Instruction& insn, unsigned n) const {
    if (semantics.readings.alias_winner == AliasWinner::last_repeat || accumulates_in_dst(insn)) return n;
    return insn.repeat - 1 - n;
  }
};

}  // namespace lanecheck
