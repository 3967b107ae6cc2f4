// Rounding for cast: to an integral value, into an integer type, and into a float format, in each round mode
// (asc-devkit, precision conversion).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "fuzz/simulator/stored.h"
#include "spec/program/instruction.h"

namespace lanecheck::simulator {

/// Keeps the sign of zero, infinities and NaN.
template <Round mode>
float round_to_integral(float x) {
  constexpr float all_integral = 8388608.0f;  // from 2^23 on there are no fractions
  const bool has_places = std::fabs(x) < all_integral;
  const float finite = has_places ? x : 0.0f;
  const auto whole = static_cast<std::int32_t>(finite);
  const auto truncated = static_cast<float>(whole);
  const float left = std::fabs(finite - truncated);
  const float outward = std::copysign(1.0f, x);
  bool away = false;  // from zero
  switch (mode) {
    case Round::none:
    case Round::rint:
      away = (left > 0.5f) | ((left == 0.5f) & ((whole & 1) != 0));
      break;
    case Round::floor:
      away = truncated > finite;
      break;
    case Round::ceil:
      away = truncated < finite;
      break;
    case Round::round:
      away = left >= 0.5f;
      break;
    case Round::trunc:
    case Round::odd:  // on offer for f16 from f32 only
      break;
  }
  const float rounded = away ? truncated + outward : truncated;
  return has_places ? std::copysign(rounded, x) : x;
}

/// An integral value into an integer type: clamped to its limits, NaN to 0.
template <class Integer>
Integer saturate(float integral) {
  using Limits = std::numeric_limits<Integer>;
  constexpr auto least = static_cast<float>(Limits::min());  // a power of two, or 0: exact
  constexpr float beyond = 2.0f * static_cast<float>(Limits::max() / 2 + 1);
  const bool fits = (integral >= least) & (integral < beyond);
  const auto kept = static_cast<Integer>(fits ? integral : 0.0f);
  const Integer limit = integral < least ? Limits::min() : integral >= beyond ? Limits::max() : Integer{0};
  return fits ? kept : limit;
}

template <class Integer>
Integer saturate(std::int64_t x) {
  using Limits = std::numeric_limits<Integer>;
  return static_cast<Integer>(x < Limits::min() ? Limits::min() : x > Limits::max() ? Limits::max() : x);
}

/// A finite number: significand * 2^exponent.
struct Exact {
  bool negative;
  std::uint64_t significand;
  int exponent;
};

inline Exact exact(std::int64_t x) {
  const auto bits = static_cast<std::uint64_t>(x);
  return {x < 0, x < 0 ? 0 - bits : bits, 0};
}

inline Exact exact(double finite) {
  const auto bits = std::bit_cast<std::uint64_t>(finite);
  const std::uint64_t mantissa = bits & 0xfffffffffffffu;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) return {std::signbit(finite), mantissa, -1074};
  return {std::signbit(finite), mantissa | 1ull << 52, exponent - 1075};
}

/// A binary interchange format of IEEE 754 (bf16: the upper half of binary32).
template <class F>
struct Format;
template <>
struct Format<Half> {
  static constexpr int kMantissa = 10, kLeast = -14, kGreatest = 15;  ///< bits; exponents of normal numbers
};
template <>
struct Format<BFloat16> {
  static constexpr int kMantissa = 7, kLeast = -126, kGreatest = 127;
};
template <>
struct Format<float> {
  static constexpr int kMantissa = 23, kLeast = -126, kGreatest = 127;
};

/// Rounds a finite number into format F. Beyond the largest finite value the modes that round away from zero
/// (or to nearest) give an infinity, the others that largest value.
template <class F>
Stored<F> round_into(const Exact& x, Round mode) {
  using Fmt = Format<F>;
  constexpr int least_place = Fmt::kLeast - Fmt::kMantissa;  // weight of the last bit of subnormals
  constexpr auto infinity = static_cast<std::uint32_t>(Fmt::kGreatest - Fmt::kLeast + 2) << Fmt::kMantissa;
  const int top = x.exponent + static_cast<int>(std::bit_width(x.significand)) - 1;
  const int place = std::max(top - Fmt::kMantissa, least_place);
  const int dropped = place - x.exponent;  // bits of the significand below the last place

  // Magnitudes in order have bit patterns in order, so the next greater magnitude is the next pattern.
  std::uint32_t magnitude = 0;
  enum { nothing, below_half, half, above_half } rest = nothing;
  if (x.significand == 0) {
  } else if (top > Fmt::kGreatest) {
    magnitude = infinity - 1;
    rest = above_half;
  } else {
    const std::uint64_t kept = dropped <= 0   ? x.significand << -dropped
                               : dropped < 64 ? x.significand >> dropped
                                              : 0;
    magnitude = (static_cast<std::uint32_t>(place - least_place) << Fmt::kMantissa) +
                static_cast<std::uint32_t>(kept);
    if (dropped > 64) {
      rest = below_half;
    } else if (dropped > 0) {
      const std::uint64_t tail = x.significand << (64 - dropped), tie = 1ull << 63;
      rest = tail == 0 ? nothing : tail < tie ? below_half : tail == tie ? half : above_half;
    }
  }

  switch (mode) {
    case Round::none:
    case Round::rint:
      magnitude += rest == above_half || (rest == half && magnitude % 2 != 0);
      break;
    case Round::floor:
      magnitude += x.negative && rest != nothing;
      break;
    case Round::ceil:
      magnitude += !x.negative && rest != nothing;
      break;
    case Round::round:
      magnitude += rest >= half;
      break;
    case Round::trunc:
      break;
    case Round::odd:
      magnitude |= rest != nothing;
      break;
  }
  constexpr unsigned sign_place = 8 * sizeof(Stored<F>) - 1;
  return std::bit_cast<Stored<F>>(
      static_cast<std::conditional_t<sizeof(F) == 2, std::uint16_t, std::uint32_t>>(
          magnitude | std::uint32_t{x.negative} << sign_place));
}

}  // namespace lanecheck::simulator
