// How an element lies in UB, and what it is computed in: f16 and bf16 are 16 bits there and computed in f32,
// every other type is what it is. An operation in f32 rounded once to f16 is correctly rounded, as f32 has
// more than twice as many significant bits. No branches here, so that loops over lanes become vector code.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "spec/program/element.h"

namespace lanecheck::simulator {

template <class T>
using Stored = std::conditional_t<is_half_width_float<T>, std::uint16_t, T>;
template <class T>
using Computed = std::conditional_t<is_half_width_float<T>, float, T>;

/// P: lanes of a full repeat of an instruction on these element types; the widest decides (VMC 3.1).
template <class... Ts>
inline constexpr unsigned kLanes = kRepeatBytes / std::max({static_cast<unsigned>(sizeof(Ts))...});

/// a < b ? yes : no for a and b from 0 up, without a branch: the sign of a - b, spread over all bits.
inline std::uint32_t if_less(std::uint32_t a, std::uint32_t b, std::uint32_t yes, std::uint32_t no) {
  const auto all = static_cast<std::uint32_t>(static_cast<std::int32_t>(a - b) >> 31);
  return (yes & all) | (no & ~all);
}

// Bit patterns of magnitudes as f32.
inline constexpr std::uint32_t kInfinity = 255u << 23;
inline constexpr std::uint32_t kTooLargeForHalf = (127u + 16u) << 23;
inline constexpr std::uint32_t kLeastNormalHalf = (127u - 14u) << 23;
inline constexpr std::uint32_t kHalfRebias = (127u - 15u) << 23;  // exponent bias of f32 less that of f16

/// The last place of this number is that of the subnormal halves: adding it rounds them.
inline constexpr std::uint32_t kHalfAligner = (127u - 14u - 10u + 23u) << 23;

inline float float_of_half(std::uint32_t half) {
  const std::uint32_t magnitude = (half & 0x7fffu) << 13;
  const std::uint32_t normal = magnitude + kHalfRebias;
  // A subnormal is its mantissa above an implicit 1, less that 1.
  const float subnormal = std::bit_cast<float>(normal + (1u << 23)) - std::bit_cast<float>(kLeastNormalHalf);
  const std::uint32_t not_small = if_less(magnitude, 31u << 23, normal, normal + kHalfRebias);
  const std::uint32_t wide = if_less(magnitude, 1u << 23, std::bit_cast<std::uint32_t>(subnormal), not_small);
  return std::bit_cast<float>(wide | (half & 0x8000u) << 16);
}

/// Nearest, ties to even; beyond the largest finite value infinity; every NaN becomes the quiet one.
inline std::uint32_t half_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const float aligned = std::bit_cast<float>(magnitude) + std::bit_cast<float>(kHalfAligner);
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(aligned) - kHalfAligner;
  const std::uint32_t clamped = if_less(magnitude, kTooLargeForHalf, magnitude, kTooLargeForHalf);
  const std::uint32_t normal = (clamped - kHalfRebias + 0xfffu + (clamped >> 13 & 1u)) >> 13;
  const std::uint32_t quiet = if_less(kInfinity, magnitude, 0x0200u, 0);
  const std::uint32_t half = if_less(magnitude, kLeastNormalHalf, subnormal, normal | quiet);
  return half | (bits >> 16 & 0x8000u);
}

/// float_of_half(half_of_float(value)), without the way there and back.
inline float rounded_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const auto aligner = std::bit_cast<float>(kHalfAligner);
  const float subnormal = (std::bit_cast<float>(magnitude) + aligner) - aligner;
  const std::uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1u)) & ~0x1fffu;
  const std::uint32_t clamped = if_less(normal, kTooLargeForHalf, normal, kInfinity);
  const std::uint32_t quiet = if_less(kInfinity, magnitude, 1u << 22, 0);
  const std::uint32_t half =
      if_less(magnitude, kLeastNormalHalf, std::bit_cast<std::uint32_t>(subnormal), clamped | quiet);
  return std::bit_cast<float>(half | (bits & 0x80000000u));
}

template <class T>
Computed<T> widen(Stored<T> x) {
  if constexpr (std::is_same_v<T, Half>)
    return float_of_half(x);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return std::bit_cast<float>(std::uint32_t{x} << 16);
  else
    return x;
}

/// For every type except bf16, in which nothing computes.
template <class T>
Stored<T> narrow(Computed<T> x) {
  static_assert(!std::is_same_v<T, BFloat16>);
  if constexpr (std::is_same_v<T, Half>)
    return static_cast<std::uint16_t>(half_of_float(x));
  else
    return x;
}

/// All lanes of a repeat, in loops of their own: what is computed between need not become vector code for the
/// conversions to. What is stored as it is computed passes through.
template <class T, std::size_t P>
requires is_half_width_float<T> std::array<float, P> widen_lanes(const std::array<std::uint16_t, P>& lanes) {
  std::array<float, P> values;
  for (std::size_t l = 0; l < P; ++l) values[l] = widen<T>(lanes[l]);
  return values;
}
template <class T, std::size_t P>
requires(!is_half_width_float<T>) const std::array<T, P>& widen_lanes(const std::array<T, P>& lanes) {
  return lanes;
}

template <class T, std::size_t P>
requires std::is_same_v<T, Half> std::array<std::uint16_t, P> narrow_lanes(
    const std::array<float, P>& values) {
  std::array<std::uint32_t, P> halves;
  for (std::size_t l = 0; l < P; ++l) halves[l] = half_of_float(values[l]);
  std::array<std::uint16_t, P> lanes;
  for (std::size_t l = 0; l < P; ++l) lanes[l] = static_cast<std::uint16_t>(halves[l]);
  return lanes;
}
template <class T, std::size_t P>
const std::array<Stored<T>, P>& narrow_lanes(const std::array<Stored<T>, P>& lanes) {
  return lanes;
}

/// A computed value as it would be read back after a store.
template <class T>
Computed<T> rounded(Computed<T> x) {
  if constexpr (std::is_same_v<T, Half>)
    return rounded_to_half(x);
  else
    return x;
}

}  // namespace lanecheck::simulator
