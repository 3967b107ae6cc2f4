// Bytes in reverse order.
#pragma once

#include <cstdint>

namespace lanecheck {

/// The lowest `size` bytes, the last one first.
constexpr std::uint64_t reversed_bytes(std::uint64_t bits, unsigned size = 8) {
  std::uint64_t reversed = 0;
  for (unsigned n = 0; n < size; ++n) reversed = reversed << 8 | (bits >> (8 * n) & 0xff);
  return reversed;
}

}  // namespace lanecheck
