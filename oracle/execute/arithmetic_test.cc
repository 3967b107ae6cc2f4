// The conversions of f16 that the kernels use, of one lane and of all lanes of a repeat, are those of Eigen,
// to the bit.
#include "oracle/execute/arithmetic.h"

#include <gtest/gtest.h>

#include "oracle/execute/half_lanes.h"

namespace lanecheck {
namespace {

TEST(Arithmetic, WidensEveryHalfAsEigenDoes) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = from_bits<Half>(bits);
    ASSERT_EQ(bits_of(widened(half)), bits_of(as_float(half))) << bits;
  }
}

/// All lanes of a repeat together, and one lane that is left over.
TEST(Arithmetic, WidensEveryHalfOfARepeatAsEigenDoes) {
  constexpr unsigned kCount = 129;
  for (unsigned first = 0; first < 65536; first += kCount) {
    std::array<Half, kCount> halves;
    std::array<float, kCount> wide;
    for (unsigned lane = 0; lane < kCount; ++lane) halves[lane] = from_bits<Half>(first + lane);
    widen_lanes(DefaultReadings{}, halves.data(), wide.data(), kCount);
    for (unsigned lane = 0; lane < kCount; ++lane)
      if (const float expected = as_float(halves[lane]); std::isnan(expected))
        ASSERT_TRUE(std::isnan(wide[lane])) << first + lane;
      else
        ASSERT_EQ(bits_of(wide[lane]), bits_of(expected)) << first + lane;
  }
}

/// As Eigen does, and every NaN becomes the same; alone, and as one of the lanes of a repeat.
void expect_narrowed(std::uint32_t bits) {
  const auto wide = std::bit_cast<float>(bits);
  const std::uint16_t expected = std::isnan(wide) ? 0x7e00 : rounded_to<Half>(wide).bits;
  ASSERT_EQ(narrowed<Half>(wide).bits, expected) << std::hex << bits;
  constexpr unsigned kCount = 9;
  std::array<float, kCount> lanes{};
  std::array<Half, kCount> halves;
  lanes[bits % kCount] = wide;
  narrow_lanes(DefaultReadings{}, lanes.data(), halves.data(), kCount);
  for (unsigned lane = 0; lane < kCount; ++lane)
    ASSERT_EQ(halves[lane].bits, lane == bits % kCount ? expected : 0) << std::hex << bits;
}

TEST(Arithmetic, NarrowsFloatsAsEigenDoes) {
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 251)  // prime: all low bits occur
    expect_narrowed(static_cast<std::uint32_t>(bits));
}

TEST(Arithmetic, NarrowsTheNeighboursOfEveryHalfAndOfEveryMiddleAsEigenDoes) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const std::uint32_t at = std::bit_cast<std::uint32_t>(as_float(from_bits<Half>(bits)));
    for (const std::uint32_t middle : {at, at + (1u << 12), at - (1u << 12), at + (1u << 11)})
      for (const std::uint32_t beside : {middle - 1, middle, middle + 1}) expect_narrowed(beside);
  }
  for (unsigned step = 0; step < 4096;
       ++step)  // subnormals and the middles between them, which lie at 2^-25 n
    for (const int beside : {-1, 0, 1})
      expect_narrowed(std::bit_cast<std::uint32_t>(static_cast<float>(step) * 0x1p-25f) +
                      static_cast<std::uint32_t>(beside));
}

}  // namespace
}  // namespace lanecheck
