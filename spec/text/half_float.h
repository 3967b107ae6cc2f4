// f16 and bf16 to and from float, by Eigen. Include this file only where numbers are computed or printed:
// Eigen is slow to compile.
#pragma once

#include <Eigen/Core>

#include "spec/program/element.h"

namespace lanecheck {

inline float as_float(float value) {
  return value;
}
inline float as_float(Half value) {
  return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(value.bits));
}
inline float as_float(BFloat16 value) {
  return static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(value.bits));
}

/// The value of float type T that is nearest to `value`, ties to even.
template <class T>
T rounded_to(float value) {
  if constexpr (std::is_same_v<T, Half>)
    return {Eigen::numext::bit_cast<std::uint16_t>(static_cast<Eigen::half>(value))};
  else if constexpr (std::is_same_v<T, BFloat16>)
    return {Eigen::numext::bit_cast<std::uint16_t>(static_cast<Eigen::bfloat16>(value))};
  else
    return value;
}

}  // namespace lanecheck
