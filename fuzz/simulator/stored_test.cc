// The conversions of stored.h and the packing of packed_bits.h, against Eigen and all values.
#include "fuzz/simulator/stored.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/simulator/packed_bits.h"
#include "spec/text/half_float.h"

namespace lanecheck::simulator {
namespace {

bool narrows_as_eigen(std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  const auto half = static_cast<std::uint16_t>(half_of_float(value));
  if (bits_of(rounded_to_half(value)) != bits_of(float_of_half(half))) return false;
  return std::isnan(value) ? std::isnan(float_of_half(half)) : half == rounded_to<Half>(value).bits;
}

TEST(Stored, EveryHalfWidensAsInEigen) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float expected = as_float(from_bits<Half>(bits));
    const float widened = float_of_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(widened)) << std::hex << bits;
    else
      ASSERT_EQ(bits_of(widened), bits_of(expected)) << std::hex << bits;
  }
}

TEST(Stored, FloatsAroundEveryHalfAndEveryMidpointNarrowAsInEigen) {
  for (std::uint32_t half = 0; half <= 0xffff; ++half) {
    const auto bits = std::bit_cast<std::uint32_t>(float_of_half(static_cast<std::uint16_t>(half)));
    for (const std::uint32_t beyond : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu})
      ASSERT_TRUE(narrows_as_eigen(bits + beyond)) << std::hex << bits + beyond;
  }
}

TEST(Stored, FloatsOfEveryExponentNarrowAsInEigen) {
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += 9973)
    ASSERT_TRUE(narrows_as_eigen(static_cast<std::uint32_t>(bits))) << std::hex << bits;
}

TEST(PackedBits, EveryByteComesBack) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::uint64_t slots = slots_of(static_cast<std::uint8_t>(byte));
    for (unsigned k = 0; k < 8; ++k) ASSERT_EQ(slots >> 8 * k & 0xff, byte >> k & 1);
    ASSERT_EQ(bits_of_slots(slots), byte);
  }
}

}  // namespace
}  // namespace lanecheck::simulator
