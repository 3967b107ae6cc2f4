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

/// A byte with its bits in reverse order.
inline std::uint8_t reversed(std::uint8_t bits) {
  std::uint8_t other = 0;
  for (unsigned bit = 0; bit < 8; ++bit) other = static_cast<std::uint8_t>(other << 1 | (bits >> bit & 1));
  return other;
}

/// Writes `results` of one repeat, slots of 0 or 1, as bits into a packed result: that of lane 0 is bit
/// `first`, a multiple of 8. A lane whose gate is 0 keeps its bit. A result of one byte for each lane, which
/// only a mutant writes, ends at byte `room`.
inline void put_bits(std::byte* bytes, std::size_t room, unsigned first,
                     std::span<const std::uint8_t> results, const std::uint8_t* gate, BitLayout layout) {
  if (layout == BitLayout::byte_per_element) {
    for (std::size_t lane = 0; lane < results.size() && first + lane < room; ++lane)
      if (gate[lane] != 0) bytes[first + lane] = static_cast<std::byte>(results[lane]);
    return;
  }
  for (std::size_t lane = 0; lane < results.size(); lane += 8) {
    std::uint8_t result = byte_of_slots(&results[lane]), open = byte_of_slots(&gate[lane]);
    if (layout == BitLayout::highest_first) result = reversed(result), open = reversed(open);
    std::byte& place = bytes[(first + lane) / 8];
    place = static_cast<std::byte>((result & open) | (std::to_integer<unsigned>(place) & ~unsigned{open}));
  }
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
    if (layout == BitLayout::lowest_first && lanes / 8 <= bits.size()) {  // whole bytes, all of them inside
      for (unsigned lane = 0; lane < lanes; lane += 8)
        set_slots_of_byte(&slots[lane], std::to_integer<std::uint8_t>(bits[lane / 8]));
      return slots;
    }
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
