// f16 to float and back, without a branch, so that loops over lanes become vector code. execute_test compares
// both with Eigen's conversions.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "spec/program/element.h"

namespace lanecheck {

/// The value of an f16. A NaN keeps its payload.
inline float float_of(Half value) {
  constexpr std::uint32_t kInfinity = 0x7c00, kLeastNormal = 0x0400;
  constexpr std::uint32_t kRebias = (127 - 15) << 23;  // the exponent bias of f32 less that of f16
  const std::uint32_t sign = value.bits & 0x8000u, magnitude = value.bits & 0x7fffu;
  const std::uint32_t normal = (magnitude << 13) + kRebias;
  const std::uint32_t special = normal + kRebias;  // the greatest exponent stays the greatest
  const float subnormal = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f;
  const std::uint32_t large = magnitude < kInfinity ? normal : special;
  const std::uint32_t bits = magnitude < kLeastNormal ? std::bit_cast<std::uint32_t>(subnormal) : large;
  return std::bit_cast<float>(bits | sign << 16);
}

/// The f16 nearest to `value`, ties to even; any NaN gives the quiet NaN without sign and payload. Adding
/// 2^13 times the greatest power of two in a number leaves room for 10 bits of its fraction: the processor
/// rounds. Everything is 4 times as large as `value`, because the exponent of the sum, modulo 32, then is
/// that of the f16.
inline Half nearest_half(float value) {
  constexpr std::uint32_t kLeastExponent = (127 - 14) << 23, kQuietNan = 0x7e00;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto exponent = static_cast<std::int32_t>(bits & 0x7f800000u);
  const float four_times = std::fabs(value) * 0x1p112f * 0x1p-110f;  // infinity from 2^16 on
  const auto clamped =
      static_cast<std::uint32_t>(std::max(exponent, static_cast<std::int32_t>(kLeastExponent)));
  const float sum = four_times + std::bit_cast<float>(clamped + ((2u + 13u) << 23));
  const auto rounded = std::bit_cast<std::uint32_t>(sum);
  const std::uint32_t fraction =
      rounded & 0x0fff;  // with the bit before the point, which raises the exponent
  const std::uint32_t finite = (rounded >> 13 & 0x7c00) + fraction;
  const std::uint32_t nan = std::isnan(value) ? ~std::uint32_t{0} : 0;
  const std::uint32_t half = ((finite | (bits >> 16 & 0x8000u)) & ~nan) | (kQuietNan & nan);
  return {static_cast<std::uint16_t>(half)};
}

}  // namespace lanecheck
