#include "fuzz/identify/values/rounding_rule.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The element next to `bits` of a float type, up or down.
std::uint64_t next(Element type, std::uint64_t bits, bool up) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  if ((bits & ~sign) == 0) return up ? 1 : sign | 1;
  return up == ((bits & sign) == 0) ? bits + 1 : bits - 1;
}

/// Infinity lies where the next number would be if the exponents went on.
double finite(Element type, double value) {
  if (!std::isinf(value)) return value;
  return std::copysign(type == Element::f16 ? 0x1p16 : 0x1p128, value);
}

double choose(Towards towards, const RoundingPlace& place) {
  switch (towards) {
    case Towards::even:
      return place.below_is_even ? place.below : place.above;
    case Towards::odd:
      return place.below_is_even ? place.above : place.below;
    case Towards::outwards:
      return place.number > 0 ? place.above : place.below;
    case Towards::zero:
      return place.number > 0 ? place.below : place.above;
    case Towards::above:
      return place.above;
    case Towards::below:
      break;
  }
  return place.below;
}

bool has_sign(double number, Sign sign) {
  return sign == Sign::any || (sign == Sign::positive ? number > 0 : number < 0);
}

}  // namespace

std::string text_of(Towards towards) {
  switch (towards) {
    case Towards::even:
      return "to the even neighbour";
    case Towards::odd:
      return "to the odd neighbour";
    case Towards::outwards:
      return "away from zero";
    case Towards::zero:
      return "towards zero";
    case Towards::above:
      return "up (towards +infinity)";
    case Towards::below:
      break;
  }
  return "down (towards -infinity)";
}

RoundingPlace place_of(Element target, Element source, double number) {
  if (is_integer(target) || target == source) {
    const double below = std::floor(number);
    return {number, below, std::ceil(number), std::fmod(below, 2) == 0};
  }
  const std::uint64_t near = nearest(target, number);
  const double value = value_of(target, near);
  if (value == number) return {number, value, value, true};
  const bool is_below = value < number;
  const std::uint64_t other = next(target, near, is_below);
  const std::uint64_t below = is_below ? near : other, above = is_below ? other : near;
  return {number, value_of(target, below), value_of(target, above), below % 2 == 0};
}

double rounded_by(const RoundingRule& rule, Element target, const RoundingPlace& place) {
  if (place.below == place.above)
    return place.below + (has_sign(place.below, rule.of_sign) ? rule.to_whole : 0);
  if (!rule.only_halves) return choose(rule.towards, place);
  const double down = place.number - finite(target, place.below);
  const double up = finite(target, place.above) - place.number;
  if (down == up) return choose(rule.towards, place);
  return down < up ? place.below : place.above;
}

double with_sticky_bit(Element type, std::uint64_t bits) {
  constexpr int kDigits = 53;
  const bool negative = is_signed(type) && (bits >> 63) != 0;
  const std::uint64_t magnitude = negative ? ~bits + 1 : bits;
  const int lost = std::max(0, static_cast<int>(std::bit_width(magnitude)) - kDigits);
  std::uint64_t kept = magnitude >> lost;
  if (kept << lost != magnitude) kept |= 1;
  const double number = std::ldexp(static_cast<double>(kept), lost);
  return negative ? -number : number;
}

std::uint64_t lowest_bits(Element type, double number) {
  const double two64 = 0x1p64;
  if (!std::isfinite(number)) return 0;
  const auto magnitude = static_cast<std::uint64_t>(std::fmod(std::abs(number), two64));
  return (number < 0 ? ~magnitude + 1 : magnitude) & all_bits(type);
}

}  // namespace lanecheck
