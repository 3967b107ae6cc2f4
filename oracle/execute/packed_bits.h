// Packed bits: the control of a select, the results of a compare, the user pattern of gather_mask.
#pragma once

#include <span>

#include "oracle/execute/machine.h"

namespace lanecheck {

/// Bit `n` of a packed control or result that starts at `bytes`.
inline bool get_bit(const std::byte* bytes, unsigned n, BitLayout layout) {
  if (layout == BitLayout::byte_per_element) return bytes[n] != std::byte{0};
  const unsigned bit = layout == BitLayout::lowest_first ? n % 8 : 7 - n % 8;
  return (std::to_integer<unsigned>(bytes[n / 8]) >> bit & 1) != 0;
}

inline void put_bit(std::byte* bytes, unsigned n, bool value, BitLayout layout) {
  if (layout == BitLayout::byte_per_element) {
    bytes[n] = static_cast<std::byte>(value);
    return;
  }
  const auto bit = static_cast<std::byte>(1u << (layout == BitLayout::lowest_first ? n % 8 : 7 - n % 8));
  bytes[n / 8] = value ? bytes[n / 8] | bit : bytes[n / 8] & ~bit;
}

/// The control bits of one repeat.
struct Control {
  std::span<const std::byte> bits;  ///< the first is that of lane 0; bits past the end are 0
  BitLayout layout;

  bool one(unsigned lane) const {
    return (layout == BitLayout::byte_per_element ? lane : lane / 8) < bits.size() &&
           get_bit(bits.data(), lane, layout);
  }
  /// As slots of 0 or 1.
  Mask slots(unsigned lanes) const {
    Mask slots;
    for (unsigned lane = 0; lane < lanes; ++lane) slots[lane] = one(lane) ? 1 : 0;
    return slots;
  }
};

/// The control bits of repeat `repeat`, from operand 1: the repeats consume its bits one after the other.
inline Control control_of(const Machine& m, const Instruction& insn, unsigned repeat) {
  const BitLayout layout = m.semantics.seams.control;
  const std::size_t step = layout == BitLayout::byte_per_element ? lanes_of(insn) : lanes_of(insn) / 8;
  const auto start = static_cast<std::size_t>(m.at(insn.operands[1]) - m.ub) + repeat * step;
  return {{m.ub + start, m.ub_bytes - std::min(start, m.ub_bytes)}, layout};
}

}  // namespace lanecheck
