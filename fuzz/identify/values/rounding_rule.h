// Rules by which a cast may round, and the number that a rule makes of one that lies between two elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "spec/program/element.h"

namespace lanecheck {

/// Which of two neighbours a number between them becomes.
enum class Towards : std::uint8_t { even, odd, outwards, zero, above, below };
inline constexpr std::array kTowards = {Towards::even, Towards::outwards, Towards::zero,
                                        Towards::odd,  Towards::above,    Towards::below};

std::string text_of(Towards towards);

enum class Sign : std::uint8_t { any, positive, negative };

/// All numbers go `towards`, or only those that are halfway between two neighbours. `to_whole` is added to a
/// number of this sign that is whole already: a wrong implementation may do so. `only_finite`: what lies
/// beyond the greatest finite element follows the documents.
struct RoundingRule {
  bool only_halves = false;
  Towards towards = Towards::even;
  int to_whole = 0;
  Sign of_sign = Sign::any;
  bool only_finite = false;

  bool operator==(const RoundingRule&) const = default;
};

/// A number and the elements next to it; all three are the same if the number is an element itself.
struct RoundingPlace {
  double number, below, above;
  bool below_is_even;
};

/// `target` and `source` of one type: whole numbers are meant.
RoundingPlace place_of(Element target, Element source, double number);

double rounded_by(const RoundingRule& rule, Element target, const RoundingPlace& place);

/// A number of f64 that lies between the same neighbours of a narrower float type as the integer, and halfway
/// if and only if the integer does: what f64 does not hold makes its last bit 1.
double with_sticky_bit(Element type, std::uint64_t bits);

/// The integer that has the lowest bits of a number.
std::uint64_t lowest_bits(Element type, double number);

}  // namespace lanecheck
