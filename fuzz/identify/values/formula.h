// Formulas of at most three operands: a, a + b, max(a, b), a * b + c and so on, as text and as a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanecheck {

/// What is made of one number, or of two.
enum class Calculation : std::uint8_t {
  none,        ///< the first number
  negative,    ///< of the first number
  magnitude,   ///< of the first number
  reciprocal,  ///< 1 / the first number
  sum,
  difference,
  reverse_difference,  ///< the second number less the first
  product,
  quotient,
  greater,
  lesser,
  bits_of_both,
  bits_of_either,
};

/// `last` of what `first` makes of operands a and b, and of operand c.
struct Formula {
  static constexpr unsigned kFirstStep = ~0U;  ///< as c: what `first` makes, once more

  Calculation first = Calculation::none, last = Calculation::none;
  unsigned a = 0, b = 0, c = 0;

  bool uses(unsigned operand) const;
  bool has(Calculation calculation) const { return first == calculation || last == calculation; }
  /// Does the formula choose one of its numbers? Then NaN and the sign of zero are not documented.
  bool chooses() const { return has(Calculation::greater) || has(Calculation::lesser); }
};

/// All formulas of so many operands, the shortest first. Bits are combined only of integers.
std::vector<Formula> formulas_of(unsigned operands, bool of_integers);

std::string text_of(const Formula& formula, const std::vector<std::string>& names);

/// The operand takes part in a calculation of two numbers.
constexpr bool takes_two(Calculation calculation) {
  return calculation > Calculation::reciprocal;
}

template <class Value>
Value calculated(Calculation calculation, Value x, Value y) {
  switch (calculation) {
    case Calculation::none:
    case Calculation::bits_of_both:  // of integers only: see wrapped()
    case Calculation::bits_of_either:
      break;
    case Calculation::negative:
      return -x;
    case Calculation::magnitude:
      return x <= Value{} ? Value{} - x : x;
    case Calculation::reciprocal:
      return Value{1} / x;
    case Calculation::sum:
      return x + y;
    case Calculation::difference:
      return x - y;
    case Calculation::reverse_difference:
      return y - x;
    case Calculation::product:
      return x * y;
    case Calculation::quotient:
      return x / y;
    case Calculation::greater:
      return x > y ? x : y;
    case Calculation::lesser:
      return x < y ? x : y;
  }
  return x;
}

/// The same of integers of 64 bits, which wrap around.
std::int64_t wrapped(Calculation calculation, std::int64_t x, std::int64_t y);

}  // namespace lanecheck
