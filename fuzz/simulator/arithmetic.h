// What the arithmetic instructions do to one lane. Integers wrap (two's complement).
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace lanecheck::simulator {

/// Integer arithmetic modulo 2^32, of which an element keeps the low bits; floats as they are.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>;

template <class T>
constexpr Wrapping<T> wrapping(T x) {
  return static_cast<Wrapping<T>>(x);
}

inline constexpr auto kPlus = []<class T>(T a, T b) { return static_cast<T>(wrapping(a) + wrapping(b)); };
inline constexpr auto kMinus = []<class T>(T a, T b) { return static_cast<T>(wrapping(a) - wrapping(b)); };
inline constexpr auto kTimes = []<class T>(T a, T b) { return static_cast<T>(wrapping(a) * wrapping(b)); };
inline constexpr auto kQuotient = []<class T>(T a, T b) { return a / b; };
inline constexpr auto kGreater = []<class T>(T a, T b) { return a < b ? b : a; };
inline constexpr auto kLesser = []<class T>(T a, T b) { return b < a ? b : a; };
inline constexpr auto kAnd = []<class T>(T a, T b) { return static_cast<T>(a & b); };
inline constexpr auto kOr = []<class T>(T a, T b) { return static_cast<T>(a | b); };
inline constexpr auto kLeaky = []<class T>(T x, T slope) { return x >= T{0} ? x : x * slope; };

inline constexpr auto kNot = []<class T>(T x) { return static_cast<T>(~x); };
inline constexpr auto kRectify = []<class T>(T x) { return x < T{0} ? T{0} : x; };
inline constexpr auto kMagnitude = []<class T>(T x) {
  if constexpr (std::is_integral_v<T>)
    return x < 0 ? static_cast<T>(0u - wrapping(x)) : x;
  else
    return std::fabs(x);
};
inline constexpr auto kExponential = [](float x) { return std::exp(x); };
inline constexpr auto kLogarithm = [](float x) { return std::log(x); };
inline constexpr auto kReciprocal = [](float x) { return 1.0f / x; };
inline constexpr auto kSquareRoot = [](float x) { return std::sqrt(x); };
inline constexpr auto kInverseRoot = [](float x) { return 1.0f / std::sqrt(x); };

}  // namespace lanecheck::simulator
