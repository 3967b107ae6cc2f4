// Is a sum exact in every order? Then no leniency is due, and one lane more or less always shows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "spec/program/element.h"

namespace lanecheck {

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
    const int digits = type == Element::f32 ? 24 : type == Element::f16 ? 11 : 8;
    return magnitude_ == 0 || magnitude_ <= std::ldexp(1.0, digits + quantum_);
  }

 private:
  int quantum_ = 1 << 20;
  double magnitude_ = 0;
};

}  // namespace lanecheck
