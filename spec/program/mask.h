// The vector mask: one slot for each logical element of a repeat (VMC section 1).
#pragma once

#include <array>
#include <cstdint>

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

/// Slots 64 w to 64 w + 63 as bits, the lowest slot in the lowest bit.
inline std::uint64_t mask_word(const Mask& mask, unsigned w) {
  std::uint64_t word = 0;
  for (unsigned bit = 0; bit < 64; ++bit) word |= std::uint64_t{mask[64 * w + bit]} << bit;
  return word;
}

inline void set_mask_word(Mask& mask, unsigned w, std::uint64_t word) {
  for (unsigned bit = 0; bit < 64; ++bit) mask[64 * w + bit] = word >> bit & 1;
}

}  // namespace lanecheck
