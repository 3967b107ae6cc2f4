// The walk over an operand that most forms share: read a repeat, compute its lanes, write those that the mask
// lets through.
#pragma once

#include <cstring>

#include "oracle/execute/machine.h"

namespace lanecheck {

/// The elements of one repeat, lane by lane.
template <class T>
using Lanes = std::array<T, kRepeatBytes / sizeof(T)>;

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

/// An unsigned integer as wide as T.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// For each of the `lanes` of type T: all bits 1 where its gate is 1, all bits 0 where it is 0. A mutant may
/// count more lanes than a repeat of T has.
template <class T>
std::array<BitsOf<T>, kMaskSlots> open_bits(const std::uint8_t* gate, unsigned lanes) {
  std::array<BitsOf<T>, kMaskSlots> open;
  for (unsigned lane = 0; lane < lanes; ++lane)
    open[lane] = gate[lane] != 0 ? static_cast<BitsOf<T>>(~BitsOf<T>{0}) : BitsOf<T>{0};
  return open;
}

/// VMC 3.1: writes where the gate is 1, keeps the old dst where it is 0. A data block is written after the
/// one before it, because a block stride of 0 puts both in one place.
template <class T>
void write_repeat(std::byte* start, const Operand& operand, unsigned repeat, unsigned lanes, const T* results,
                  const std::uint8_t* gate, bool masked_off_becomes_zero) {
  using Words = std::array<std::uint64_t, kBlockBytes / sizeof(std::uint64_t)>;  // of one data block
  constexpr unsigned per = kBlockBytes / sizeof(T);
  const auto open_lanes = open_bits<T>(gate, lanes);
  for (unsigned block = 0; block * per < lanes; ++block) {
    std::byte* place = block_at(start, operand, repeat, block);
    Words old{}, result, open;
    if (!masked_off_becomes_zero) std::memcpy(&old, place, kBlockBytes);
    std::memcpy(&result, results + block * per, kBlockBytes);
    std::memcpy(&open, &open_lanes[block * per], kBlockBytes);
    for (unsigned w = 0; w < old.size(); ++w) old[w] = (result[w] & open[w]) | (old[w] & ~open[w]);
    std::memcpy(place, &old, kBlockBytes);
  }
}

/// The walk of most forms, repeat by repeat: `compute(repeat, results)` fills the lanes of one repeat, and
/// what the mask lets through is written. Every source of a repeat is read before any lane of it is written.
template <class T, class Compute>
void each_repeat(Machine& m, const Instruction& insn, unsigned lanes, Compute compute) {
  std::byte* dst = m.at(insn.operands[0]);
  Lanes<T> results;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    compute(repeat, results.data());
    write_repeat(dst, insn.operands[0], repeat, lanes, results.data(), m.write_gate(insn, repeat),
                 m.semantics.seams.masked_off_becomes_zero);
  }
}

}  // namespace lanecheck
