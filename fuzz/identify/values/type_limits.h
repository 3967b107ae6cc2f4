// The limits of element types, and their sign bit.
#pragma once

#include <cmath>
#include <cstdint>

#include "spec/program/element.h"

namespace lanecheck {

/// The highest bit of an element.
constexpr std::uint64_t sign_of(Element type) {
  return std::uint64_t{1} << (8 * size_of(type) - 1);
}

/// Of integer types. Exact up to 32 bits.
inline double greatest_of(Element type) {
  return std::ldexp(1.0, static_cast<int>(8 * size_of(type)) - (is_signed(type) ? 1 : 0)) - 1;
}

inline double least_of(Element type) {
  return is_signed(type) ? -greatest_of(type) - 1 : 0;
}

}  // namespace lanecheck
