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
