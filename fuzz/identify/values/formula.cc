#include "fuzz/identify/values/formula.h"

#include <algorithm>
#include <iterator>

namespace lanecheck {
namespace {

using enum Calculation;

bool exchanges(Calculation calculation) {  // do its two numbers exchange?
  return calculation != difference && calculation != quotient && calculation != reciprocal;
}

std::string text_of_one(Calculation calculation, const std::string& x, const std::string& y) {
  switch (calculation) {
    case none:
      break;
    case negative:
      return "-" + x;
    case magnitude:
      return "|" + x + "|";
    case reciprocal:
      return "1 / " + x;
    case sum:
      return x + " + " + y;
    case difference:
      return x + " - " + y;
    case reverse_difference:
      return y + " - " + x;
    case product:  // a scalar is written first
      return y == "scalar" ? y + " * " + x : x + " * " + y;
    case quotient:
      return x + " / " + y;
    case greater:
      return "max(" + x + ", " + y + ")";
    case lesser:
      return "min(" + x + ", " + y + ")";
    case bits_of_both:
      return x + " and " + y;
    case bits_of_either:
      return x + " or " + y;
  }
  return x;
}

/// Of one number twice, these give the number itself, or a number that does not depend on it.
bool is_of_two_numbers(Calculation calculation) {
  return calculation != sum && calculation != product;
}

bool is_sum(Calculation calculation) {
  return calculation == sum || calculation == difference;
}

void of_three(unsigned operands, std::vector<Formula>& all) {
  for (const Calculation first : {product, sum, difference})
    for (const Calculation last : {sum, difference, reverse_difference, product, greater, lesser})
      for (unsigned a = 0; a < operands; ++a)
        for (unsigned b = exchanges(first) ? a : 0; b < operands; ++b)
          for (unsigned c = 0; (a != b || first != difference) && c < operands; ++c)
            all.push_back({first, last, a, b, c});
  for (unsigned a = 0; a < operands; ++a)  // an operand that is read after a first step was written to it
    for (unsigned b = a; b < operands; ++b) all.push_back({product, sum, a, b, Formula::kFirstStep});
}

void of_reciprocals(unsigned operands, std::vector<Formula>& all) {
  for (unsigned a = 0; a < operands; ++a) {
    all.push_back({reciprocal, none, a, 0, 0});
    for (unsigned c = 0; c < operands; ++c)
      if (a != c) all.push_back({reciprocal, product, a, 0, c});
  }
}

}  // namespace

bool Formula::uses(unsigned operand) const {
  return a == operand || (takes_two(first) && b == operand) || (takes_two(last) && c == operand);
}

std::vector<Formula> formulas_of(unsigned operands, bool of_integers) {
  std::vector<Formula> all;
  for (const Calculation first : {none, negative, magnitude})
    for (unsigned a = 0; a < operands; ++a) all.push_back({first, none, a, 0, 0});
  for (const Calculation first :
       {sum, difference, product, quotient, greater, lesser, bits_of_both, bits_of_either}) {
    const bool is_bitwise = first == bits_of_both || first == bits_of_either;
    if (of_integers ? first == quotient : is_bitwise) continue;
    for (unsigned a = 0; a < operands; ++a)
      for (unsigned b = exchanges(first) ? a : 0; b < operands; ++b) {
        if (a == b && is_of_two_numbers(first)) continue;
        all.push_back({first, none, a, b, 0});
        if ((a != b || first == sum) && first != difference) all.push_back({first, negative, a, b, 0});
      }
  }
  if (!of_integers) of_reciprocals(operands, all);
  of_three(operands, all);
  return all;
}

std::string text_of(const Formula& formula, const std::vector<std::string>& names) {
  std::string inner = text_of_one(formula.first, names[formula.a], names[formula.b]);
  const bool in_brackets = formula.last == negative || formula.last == product ||
                           (formula.last == reverse_difference && is_sum(formula.first));
  if (in_brackets && (takes_two(formula.first) || formula.first == reciprocal)) inner = "(" + inner + ")";
  return text_of_one(formula.last, inner, formula.c == Formula::kFirstStep ? inner : names[formula.c]);
}

std::int64_t wrapped(Calculation calculation, std::int64_t x, std::int64_t y) {
  switch (calculation) {
    case none:
    case quotient:
    case reciprocal:
    case greater:
    case lesser:
      return calculated(calculation, x, y);
    case bits_of_both:
      return x & y;
    case bits_of_either:
      return x | y;
    case magnitude:
      return x < 0 ? wrapped(negative, x, y) : x;
    case negative:
    case sum:
    case difference:
    case reverse_difference:
    case product:
      break;
  }
  return static_cast<std::int64_t>(
      calculated(calculation, static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
}

}  // namespace lanecheck
