// The machine while it executes: UB, the mask, and the walks over an operand that all forms share.
#pragma once

#include <algorithm>
#include <cstring>

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

/// The elements of one repeat, lane by lane.
template <class T>
using Lanes = std::array<T, kRepeatBytes / sizeof(T)>;

inline constexpr Mask kNoGate = kFullMask;

struct Machine {
  const Program& program;
  const Semantics& semantics;
  std::byte* ub;
  std::size_t ub_bytes;
  Mask& mask;
  Mode& mode;
  std::array<std::byte, 16>& cmpmask;
  bool counts = false;      ///< the instruction at hand is governed by a total of elements
  std::uint64_t total = 0;  ///< which
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

  /// `bytes` of UB, `offset` after the start of `operand`; null when they do not lie in UB as a whole. Legal
  /// programs have their offsets in order; who believes in other extents may have overwritten them.
  std::byte* indexed(const Operand& operand, std::uint64_t offset, std::size_t bytes) const {
    const std::uint64_t place = start_of(program, operand) + offset;
    return place + bytes <= ub_bytes ? ub + place : nullptr;
  }

  /// What the mask says of the lanes of one repeat.
  const std::uint8_t* slots(const Instruction& insn, unsigned repeat) {
    if (counts) {
      const unsigned active = semantics.counted(total, repeat, lanes_of(insn));
      const unsigned lanes = std::min(lanes_of(insn), kMaskSlots);
      for (unsigned lane = 0; lane < lanes; ++lane) scratch[lane] = lane < active;
      return scratch.data();
    }
    return semantics.gates(mask, insn, repeat, scratch);
  }

  MaskUse use_of(const Instruction& insn) const { return semantics.use[static_cast<std::size_t>(insn.op)]; }

  /// Which lanes of one repeat may be written: all, unless the instruction gates its writeback.
  const std::uint8_t* write_gate(const Instruction& insn, unsigned repeat) {
    return use_of(insn) == MaskUse::gates_writeback ? slots(insn, repeat) : kNoGate.data();
  }

  /// Repeats run in ascending order. Under the reading alias_winner=first_repeat they run in descending
  /// order, so that the first repeat's write stays, unless dst is read back (an accumulation needs its
  /// order).
  unsigned nth_repeat(const Instruction& insn, unsigned n) const {
    const bool reads_dst = insn.operands[2] == insn.operands[0];
    return semantics.readings.alias_winner == AliasWinner::last_repeat || reads_dst ? n : insn.repeat - 1 - n;
  }
};

/// Address of data block `block` of repeat `repeat`, for an operand that starts at `start`.
inline std::byte* block_at(std::byte* start, const Operand& operand, unsigned repeat, unsigned block) {
  return start + std::size_t{kBlockBytes} * (std::size_t{repeat} * operand.repeat_stride +
                                             std::size_t{block} * operand.block_stride);
}

/// Reads the first `lanes` elements of one repeat (whole blocks).
template <class T>
void read_repeat(std::byte* start, const Operand& operand, unsigned repeat, unsigned lanes, T* into) {
  for (unsigned block = 0; block * kBlockBytes < lanes * sizeof(T); ++block)
    std::memcpy(static_cast<void*>(into + block * (kBlockBytes / sizeof(T))),
                block_at(start, operand, repeat, block), kBlockBytes);
}

/// VMC 3.1: writes where the gate is 1, keeps the old dst where it is 0.
template <class T>
void write_repeat(std::byte* start, const Operand& operand, unsigned repeat, unsigned lanes, const T* results,
                  const std::uint8_t* gate, bool masked_off_becomes_zero) {
  constexpr unsigned per = kBlockBytes / sizeof(T);
  for (unsigned block = 0; block * per < lanes; ++block) {
    std::byte* place = block_at(start, operand, repeat, block);
    std::array<T, per> data;
    std::memcpy(static_cast<void*>(data.data()), place, kBlockBytes);
    if (masked_off_becomes_zero) data.fill(T{});
    for (unsigned lane = 0; lane < per; ++lane)
      data[lane] = gate[block * per + lane] != 0 ? results[block * per + lane] : data[lane];
    std::memcpy(place, data.data(), kBlockBytes);
  }
}

}  // namespace lanecheck
