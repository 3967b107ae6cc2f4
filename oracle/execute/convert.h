// cast: from one element type to another under a round mode (asc-devkit, precision conversion).
#pragma once

#include <utility>

#include "oracle/execute/arithmetic.h"
#include "spec/text/number.h"

namespace lanecheck {

/// An integer as a double that rounds to every float type, under every mode, as the integer itself does. An
/// integer beyond 2^53 may have no double of its own. Float types and the middles between their neighbours
/// are multiples of 2048 there, so all integers between two such multiples may move to the middle between
/// them.
template <std::integral S>
double placed(S source) {
  if constexpr (sizeof(S) == 8) {
    constexpr S kStep = 2048, kExact = S{1} << 53;
    const S beside = source & (kStep - 1);  // source - beside is the multiple below
    if ((source < -kExact || source > kExact) && beside != 0)
      return static_cast<double>(source - beside + kStep / 2);
  }
  return static_cast<double>(source);
}

/// Rounds to an integral value. `none` rounds as `rint` does; `odd` never meets an inexact value here.
template <class X>
X round_to_whole(X x, Round mode) {
  switch (mode) {
    case Round::floor:
      return std::floor(x);
    case Round::ceil:
      return std::ceil(x);
    case Round::round:
      return std::round(x);  // ties away from zero
    case Round::trunc:
      return std::trunc(x);
    case Round::rint:
    case Round::none:
    case Round::odd:
      break;
  }
  return std::nearbyint(x);  // ties to even
}

/// The neighbour of a finite or infinite float on the side of +infinity (up) or -infinity.
template <class D>
D neighbour(D from, bool up) {
  using Bits = std::conditional_t<sizeof(D) == 2, std::uint16_t, std::uint32_t>;
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(D) - 1));
  const Bits bits = static_cast<Bits>(bits_of(from));
  if ((bits & static_cast<Bits>(~sign)) == 0) return from_bits<D>(up ? 1u : sign | 1u);
  const bool grows = up == ((bits & sign) == 0);
  return from_bits<D>(static_cast<Bits>(grows ? bits + 1 : bits - 1));
}

/// Rounds to float type D, at the last place of D.
template <class D, class X>
D round_to_float(X x, Round mode) {
  const D even = narrowed<D>(static_cast<float>(x));  // every caller's x is exact in f32, or D is f32
  const X back = static_cast<X>(as_float(even));
  if (back == x || std::isnan(x)) return even;
  const D toward = neighbour(even, back < x);  // x lies between `even` and `toward`
  const D below = back < x ? even : toward;
  const D above = back < x ? toward : even;
  const D inner = x > 0 ? below : above;
  const D outer = x > 0 ? above : below;
  switch (mode) {
    case Round::floor:
      return below;
    case Round::ceil:
      return above;
    case Round::trunc:
      return inner;
    case Round::odd:
      return from_bits<D>(bits_of(inner) | 1);
    case Round::round: {
      const X to_inner = std::abs(x - static_cast<X>(as_float(inner)));
      const X to_outer = std::abs(static_cast<X>(as_float(outer)) - x);
      return to_inner == to_outer ? outer : even;
    }
    case Round::rint:
    case Round::none:
      break;
  }
  return even;
}

/// Reading cast_overflow.
template <class S>
bool wraps(const Readings& readings) {
  return readings.cast_overflow == CastOverflow::wraps ||
         (readings.cast_overflow == CastOverflow::integers_wrap && !is_float_v<S>);
}

/// Puts a rounded number, which was of type S, into an integer type, as the readings cast_nan and
/// cast_overflow say.
template <class D, class S, class X>
D to_integer(X x, const Readings& readings) {
  using Limits = std::numeric_limits<D>;
  if (std::isnan(x)) return readings.cast_nan == CastNan::zero ? D{0} : Limits::min();
  const X least = static_cast<X>(Limits::min());
  const X past = -least * (std::is_signed_v<D> ? 1 : 0) +
                 (std::is_signed_v<D> ? X{0} : static_cast<X>(Limits::max()) + 1);  // 2^bits, exactly
  if (x >= least && x < past) return static_cast<D>(x);
  if (wraps<S>(readings) && std::isfinite(x)) {
    const X two64 = X{18446744073709551616.0};
    const auto magnitude = static_cast<std::uint64_t>(std::fmod(std::abs(x), two64));
    return static_cast<D>(x < 0 ? 0 - magnitude : magnitude);  // negated as an integer: exact
  }
  return x < least ? Limits::min() : Limits::max();
}

/// Puts an integer into an integer type, as the reading cast_overflow says.
template <class D, class S>
D resized(S source, const Readings& readings) {
  if (std::in_range<D>(source) || wraps<S>(readings)) return static_cast<D>(source);
  return source < 0 ? std::numeric_limits<D>::min() : std::numeric_limits<D>::max();
}

/// Is every value of the integer type S a value of the float type D, so that no cast rounds?
template <class D, class S>
inline constexpr bool holds_every = sizeof(S) < sizeof(D) && !std::is_same_v<D, BFloat16>;

/// One element of a cast. Float results still need UnderReadings::finish under a non-default half_overflow.
template <class D, class S>
D convert(S source, Round mode, const Readings& readings) {
  if constexpr (is_float_v<S> && !is_float_v<D>) {
    return to_integer<D, S>(round_to_whole<double>(widened(source), mode), readings);
  } else if constexpr (!is_float_v<S> && !is_float_v<D>) {
    return resized<D>(source, readings);
  } else if constexpr (std::is_same_v<S, D>) {
    return narrowed<D>(round_to_whole<float>(widened(source), mode));
  } else if constexpr (is_float_v<S> && std::is_same_v<D, float>) {
    return narrowed<D>(widened(source));  // f32 holds every f16 and bf16
  } else if constexpr (!is_float_v<S> && holds_every<D, S>) {
    return narrowed<D>(widened(source));
  } else if constexpr (is_float_v<S>) {
    return round_to_float<D, double>(widened(source), mode);
  } else {
    return round_to_float<D>(placed(source), mode);
  }
}

/// Reading cast_half_overflow: what becomes of a finite number that no f16 holds. 65536 is where the next
/// number after the greatest, 65504, would be.
inline Half overflowed(Half result, double source, CastHalfOverflow reading) {
  constexpr double kGreatest = 65504, kNext = 65536;
  if (reading == CastHalfOverflow::by_direction || !std::isfinite(source)) return result;
  if (reading == CastHalfOverflow::greatest)
    return std::isinf(widened(result))
               ? rounded_to<Half>(static_cast<float>(std::copysign(kGreatest, source)))
               : result;
  if (std::abs(source) < kNext) return result;
  return rounded_to<Half>(std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(source)));
}

/// cast i32 -> f16: the exact product with the scale, rounded once.
inline Half scaled(std::int32_t source, Half scale) {
  return from_bits<Half>(
      nearest(Element::f16, static_cast<double>(source) * static_cast<double>(widened(scale))));
}

}  // namespace lanecheck
