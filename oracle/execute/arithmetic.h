// Arithmetic on one element: widen, compute, narrow. The wide type is float for the float types (so that one
// operation on f16 or bf16 is rounded once) and a larger integer for the integers.
//
// Two policies give the readings of spec/program/reading.h their meaning: Documented is the default of each,
// Read asks.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "spec/program/element.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// f16 -> f32 for all 65536 values, as Eigen converts them.
inline const std::array<float, 65536> kHalfValues = [] {
  std::array<float, 65536> values;
  for (unsigned bits = 0; bits < 65536; ++bits) values[bits] = static_cast<float>(from_bits<Half>(bits));
  return values;
}();

inline float as_float(float value) {
  return value;
}
inline float as_float(Half value) {
  return kHalfValues[Eigen::numext::bit_cast<std::uint16_t>(value)];
}
inline float as_float(BFloat16 value) {
  return static_cast<float>(value);
}

template <class T>
T flush(T value) {
  return std::fpclassify(as_float(value)) == FP_SUBNORMAL ||
                 (std::is_same_v<T, Half> && std::abs(as_float(value)) < 0x1p-14f)
             ? static_cast<T>(std::copysign(0.0f, as_float(value)))
             : value;
}

/// The default of every reading.
struct Documented {
  template <class T>
  using Wide = std::conditional_t<is_float_v<T>, float, std::int32_t>;

  template <class T>
  Wide<T> widen(T value) const {
    if constexpr (is_float_v<T>)
      return as_float(value);
    else
      return static_cast<std::int32_t>(value);
  }

  template <class T, class W>
  T narrow(W wide) const {
    return static_cast<T>(wide);  // floats: to nearest even; integers: wraps
  }

  static constexpr bool fused = false;
  static constexpr bool wide_scalar = false;
};

/// Whatever the readings say.
struct Read {
  const Readings& readings;
  bool fused = readings.multiply_add == MultiplyAdd::fused;
  bool wide_scalar = readings.half_scalar == HalfScalar::kept_wide;

  template <class T>
  using Wide = std::conditional_t<is_float_v<T>, float, std::int64_t>;

  template <class T>
  Wide<T> widen(T value) const {
    if constexpr (is_float_v<T>)
      return as_float(readings.subnormals == Subnormals::flushed ? flush(value) : value);
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
      return finish(static_cast<T>(wide));
    }
  }

  /// Overflow and underflow of a float result.
  template <class T>
  T finish(T value) const {
    if (readings.subnormals == Subnormals::flushed) value = flush(value);
    if constexpr (is_half_width_float<T>)
      if (readings.half_overflow == HalfOverflow::saturate) {
        const float f = as_float(value);
        if (std::isnan(f)) return T(0.0f);
        if (std::isinf(f))
          return std::signbit(f) ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
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
