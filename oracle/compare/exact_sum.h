// Decides whether a sum is exact in every order. If it is, it is not lenient, and one lane more or less
// always shows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "spec/program/element.h"

namespace lanecheck {

/// What bounds a sum in a float type.
struct FloatFormat {
  int digits;       ///< bits of the significand
  double greatest;  ///< the greatest finite value

  double epsilon() const { return std::ldexp(1.0, 1 - digits); }
};
inline FloatFormat format_of(Element type) {
  if (type == Element::f32) return {24, 0x1.fffffep127};
  if (type == Element::f16) return {11, 65504};
  return {8, 0x1.fep127};
}

/// Gathers finite summands; exact when all are multiples of one power of two and the sum of their magnitudes,
/// counted in it, fits into the significand of the type.
class SumExactness {
 public:
  void add(double x) {
    if (x == 0) return;
    int exponent = 0;
    const auto significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
    quantum_ = std::min(quantum_, exponent - 53 + std::countr_zero(significand));
    magnitude_ += std::abs(x);
  }

  bool in_any_order(Element type) const {
    return magnitude_ == 0 || magnitude_ <= std::ldexp(1.0, format_of(type).digits + quantum_);
  }

 private:
  int quantum_ = 1 << 20;
  double magnitude_ = 0;
};

}  // namespace lanecheck
