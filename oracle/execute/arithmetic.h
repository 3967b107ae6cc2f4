// Arithmetic on one element: widen, compute, narrow. The wide type is float for the float types (so that one
// operation on f16 or bf16 is rounded once) and a larger integer for the integers.
//
// Two policies give the readings of spec/program/reading.h their meaning. DefaultReadings computes with the
// default of each, and is fast; UnderReadings asks them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>

#include "spec/program/reading.h"
#include "spec/text/half_float.h"

namespace lanecheck {

/// An f16 as a float: what as_float() yields, without branches, so that a loop over lanes is vectorised. The
/// 10 bits of the fraction move to the top of the 23 of a float, and the exponent grows by the difference of
/// the biases, 112.
inline float widened(Half value) {
  constexpr std::uint32_t kRebias = 112u << 23, kLeastNormal = 1u << 23, kInfinity = 31u << 23;
  const std::uint32_t magnitude = (value.bits & 0x7fffu) << 13;
  const float normal = std::bit_cast<float>(magnitude + kRebias);
  const float subnormal = std::bit_cast<float>(magnitude + kRebias + kLeastNormal) - 0x1p-14f;  // exact
  const float finite = magnitude < kLeastNormal ? subnormal : normal;
  const std::uint32_t special = magnitude >= kInfinity ? kRebias : 0;  // infinities and NaN
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(finite) + special) | (value.bits & 0x8000u)
                                                                                     << 16);
}
inline float widened(BFloat16 value) {
  return as_float(value);
}
inline float widened(float value) {
  return value;
}
/// For integers, which a float may round.
template <std::integral T>
float widened(T value) {
  return static_cast<float>(value);
}

template <class T>
T flush(T value) {
  const float wide = widened(value);
  const bool subnormal =
      std::fpclassify(wide) == FP_SUBNORMAL || (std::is_same_v<T, Half> && std::abs(wide) < 0x1p-14f);
  return subnormal ? rounded_to<T>(std::copysign(0.0f, wide)) : value;
}

/// A computed float as an element of T. A NaN becomes the quiet NaN without sign and payload: which NaN a
/// processor yields depends on the order of the operands, which is the compiler's choice.
template <class T>
T narrowed(float wide) {
  return rounded_to<T>(std::isnan(wide) ? std::numeric_limits<float>::quiet_NaN() : wide);
}

/// The same without branches, so that a loop over lanes is vectorised. Adding 0xfff, and 1 if the last bit
/// that stays is odd, rounds the 13 bits that go to the nearest, ties to even; adding 0.5 does so for
/// subnormals.
template <>
inline Half narrowed<Half>(float wide) {
  constexpr std::uint32_t kInfinity = 0x7f800000, kLeastNormal = 113u << 23, kTooGreat = 143u << 23;
  constexpr std::uint32_t kRebias = 112u << 23;
  const auto bits = std::bit_cast<std::uint32_t>(wide);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal = (magnitude - kRebias + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
                                  std::bit_cast<std::uint32_t>(0.5f);
  const std::uint32_t finite = magnitude < kLeastNormal ? subnormal : normal;
  const std::uint32_t number = (magnitude < kTooGreat ? finite : 0x7c00u) | (bits >> 16 & 0x8000u);
  return {static_cast<std::uint16_t>(magnitude > kInfinity ? 0x7e00u : number)};
}

/// Computes under the default of every reading.
struct DefaultReadings {
  template <class T>
  using Wide = std::conditional_t<is_float_v<T>, float, std::int32_t>;

  template <class T>
  Wide<T> widen(T value) const {
    if constexpr (is_float_v<T>)
      return widened(value);
    else
      return static_cast<std::int32_t>(value);
  }

  template <class T, class W>
  T narrow(W wide) const {
    if constexpr (is_float_v<T>)
      return narrowed<T>(wide);
    else
      return static_cast<T>(wide);  // wraps
  }

  static constexpr auto multiply_add = MultiplyAdd::two_roundings;
  static constexpr auto fused_multiply_add = MultiplyAdd::two_roundings;
  static constexpr bool wide_scalar = false;
};

/// Computes as the readings say.
struct UnderReadings {
  const Readings& readings;
  Half (*narrow_half)(float) = nullptr;  ///< of Seams
  MultiplyAdd multiply_add = readings.multiply_add;
  MultiplyAdd fused_multiply_add = readings.fused_multiply_add;
  bool wide_scalar = readings.half_scalar == HalfScalar::kept_wide;

  template <class T>
  using Wide = std::conditional_t<is_float_v<T>, float, std::int64_t>;

  template <class T>
  Wide<T> widen(T value) const {
    if constexpr (is_float_v<T>)
      return widened(readings.subnormals == Subnormals::flushed ? flush(value) : value);
    else
      return static_cast<std::int64_t>(value);
  }

  template <class T, class W>
  T narrow(W wide) const {
    if constexpr (!is_float_v<T>) {
      if (readings.integer_overflow == IntegerOverflow::wraps) return static_cast<T>(wide);
      return static_cast<T>(
          std::clamp<std::int64_t>(wide, static_cast<std::int64_t>(std::numeric_limits<T>::min()),
                                   static_cast<std::int64_t>(std::numeric_limits<T>::max())));
    } else {
      if constexpr (std::is_same_v<T, Half>)
        if (narrow_half != nullptr && !std::isnan(wide)) return finish(narrow_half(wide));
      return finish(narrowed<T>(wide));
    }
  }

  /// Overflow and underflow of a float result.
  template <class T>
  T finish(T value) const {
    if (readings.subnormals == Subnormals::flushed) value = flush(value);
    if constexpr (is_half_width_float<T>)
      if (readings.half_overflow == HalfOverflow::saturate) {
        const float f = widened(value);
        constexpr float greatest = std::is_same_v<T, Half> ? 65504.0f : 0x1.fep127f;
        if (std::isnan(f)) return rounded_to<T>(0.0f);
        if (std::isinf(f)) return rounded_to<T>(std::signbit(f) ? -greatest : greatest);
      }
    return value;
  }
};

// Sums and products that are defined for every operand: 32-bit ones wrap, 64-bit ones hold any product of
// 32-bit operands.
inline double sum(double a, double b) {
  return a + b;
}
inline float sum(float a, float b) {
  return a + b;
}
inline std::int64_t sum(std::int64_t a, std::int64_t b) {
  return a + b;
}
inline std::int32_t sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
inline float difference(float a, float b) {
  return a - b;
}
inline std::int64_t difference(std::int64_t a, std::int64_t b) {
  return a - b;
}
inline std::int32_t difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
inline float product(float a, float b) {
  return a * b;
}
inline std::int64_t product(std::int64_t a, std::int64_t b) {
  return a * b;
}
inline std::int32_t product(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

}  // namespace lanecheck
