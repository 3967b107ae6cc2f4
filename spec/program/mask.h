// The vector mask: one slot for each logical element of a repeat (VMC section 1).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace lanecheck {

inline constexpr unsigned kMaskSlots = 256;

/// Slot i is 1 if element i of every repeat takes part, else 0. There are no other values.
using Mask = std::array<std::uint8_t, kMaskSlots>;

/// 64 slots of 1, as a word.
inline constexpr std::uint64_t kOnes = ~std::uint64_t{0};

/// The mask that every program starts with.
inline constexpr Mask kFullMask = [] {
  Mask mask{};
  for (auto& slot : mask) slot = 1;
  return mask;
}();

/// Eight slots as the bits of a byte, the first slot in the lowest bit. The product moves the bit of slot i
/// from bit 8 i to bit 56 + i.
inline std::uint8_t byte_of_slots(const std::uint8_t* slots) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, slots, sizeof eight);
  return static_cast<std::uint8_t>(eight * 0x0102040810204080u >> 56);
}

/// The inverse: byte i of `eight` becomes bit i of `bits` alone, and then 1 if it is not 0.
inline void set_slots_of_byte(std::uint8_t* slots, std::uint8_t bits) {
  const std::uint64_t eight = bits * 0x0101010101010101u & 0x8040201008040201u;
  const std::uint64_t ones = (eight + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
  std::memcpy(slots, &ones, sizeof ones);
}

/// Slots 64 w to 64 w + 63 as bits, the lowest slot in the lowest bit.
inline std::uint64_t mask_word(const Mask& mask, unsigned w) {
  std::uint64_t word = 0;
  for (unsigned bit = 0; bit < 64; bit += 8) word |= std::uint64_t{byte_of_slots(&mask[64 * w + bit])} << bit;
  return word;
}

inline void set_mask_word(Mask& mask, unsigned w, std::uint64_t word) {
  for (unsigned bit = 0; bit < 64; bit += 8)
    set_slots_of_byte(&mask[64 * w + bit], static_cast<std::uint8_t>(word >> bit));
}

}  // namespace lanecheck
