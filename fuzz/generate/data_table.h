// What the tables of source data are made of: the bits of element types, a fixed sequence of random words,
// and tables that are copied into UB.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "fuzz/generate/data.h"

namespace lanecheck {

constexpr std::uint64_t sign_bit(Element type) {
  return std::uint64_t{1} << (8 * size_of(type) - 1);
}
constexpr bool is_unsigned(Element type) {
  return type == Element::u8 || type == Element::u16 || type == Element::u32 || type == Element::u64;
}
/// Bits of the fraction of a float type.
constexpr unsigned mantissa_bits(Element type) {
  if (type == Element::f32) return 23;
  return type == Element::f16 ? 10 : 7;
}
constexpr std::uint64_t infinity_of(Element type) {
  return (sign_bit(type) - 1) & ~((std::uint64_t{1} << mantissa_bits(type)) - 1);
}

/// A fixed sequence, the same on every machine (SplitMix64).
constexpr std::uint64_t scrambled_word(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9;
  n = (n ^ n >> 27) * 0x94d049bb133111eb;
  return n ^ n >> 31;
}

/// Bytes after which filled data repeats itself: an odd number of data blocks, so that places a power of two
/// apart hold different data.
inline constexpr std::size_t kTablePeriod = 129 * kBlockBytes;
inline constexpr std::size_t kTablePhases = 64;  ///< windows start at a whole data block

using DataTable = std::vector<std::byte>;

/// element(n) gives the bits of element n.
template <class F>
DataTable make_table(Element type, F element) {
  DataTable table(kTablePeriod + kTablePhases * kBlockBytes);
  for (std::size_t n = 0; n < table.size() / size_of(type); ++n) {
    const std::uint64_t bits = element(n);
    std::memcpy(table.data() + n * size_of(type), &bits, size_of(type));
  }
  return table;
}

/// Fills `into` from the window of `table` that `phase` picks.
inline void copy_window(const DataTable& table, std::span<std::byte> into, unsigned phase) {
  const std::byte* window = table.data() + phase % kTablePhases * kBlockBytes;
  for (std::size_t done = 0; done < into.size(); done += kTablePeriod)
    std::copy_n(window, std::min(kTablePeriod, into.size() - done), into.data() + done);
}

}  // namespace lanecheck
