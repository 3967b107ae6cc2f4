// The vector mask: one slot for each logical element of a repeat (VMC section 1).
#pragma once

#include <array>
#include <cstdint>

namespace lanecheck {

inline constexpr unsigned kMaskSlots = 256;

/// Slot i is 1 when element i of every repeat counts, else 0. No other values.
using Mask = std::array<std::uint8_t, kMaskSlots>;

/// The mask that every program starts with.
inline constexpr Mask kFullMask = [] {
  Mask mask{};
  for (auto& slot : mask) slot = 1;
  return mask;
}();

}  // namespace lanecheck
