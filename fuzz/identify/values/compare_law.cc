#include "fuzz/identify/values/compare_law.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fuzz/identify/values/value_variants.h"
#include "oracle/execute/ordered.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// What can be said of the two numbers that are compared.
struct Data {
  std::string text;
  std::function<bool(double, double)> holds;
};

bool is_below_or_above_zero(double x) {
  return x < 0 || x > 0;
}

/// As numpy.isclose does it. Equal numbers are no matter of it.
bool are_close(double x, double y) {
  return x != y && std::isfinite(x) && std::isfinite(y) && std::abs(x - y) <= 1e-8 + 1e-5 * std::abs(y);
}

bool are_zeros_of_two_signs(double x, double y) {
  return x == 0 && y == 0 && std::signbit(x) != std::signbit(y);
}

std::vector<Data> data_of(const std::string& first, const std::string& second) {
  const auto nan = [](double x) { return std::isnan(x); };
  return {
      {"an operand is NaN", [=](double x, double y) { return nan(x) || nan(y); }},
      {first + " is NaN", [=](double x, double) { return nan(x); }},
      {second + " is NaN", [=](double, double y) { return nan(y); }},
      {"both operands are NaN", [=](double x, double y) { return nan(x) && nan(y); }},
      {"one operand alone is NaN", [=](double x, double y) { return nan(x) != nan(y); }},
      {"its operands are +0 and -0", are_zeros_of_two_signs},
      {first + " is -0 and " + second + " is +0",
       [](double x, double y) { return are_zeros_of_two_signs(x, y) && std::signbit(x); }},
      {first + " is +0 and " + second + " is -0",
       [](double x, double y) { return are_zeros_of_two_signs(x, y) && std::signbit(y); }},
      {"both operands are the same infinity", [](double x, double y) { return std::isinf(x) && x == y; }},
      {"an operand is infinite", [](double x, double y) { return std::isinf(x) || std::isinf(y); }},
      {"its operands are not equal, and differ by at most 1e-8 + 1e-5 * |" + second + "|", are_close},
      {"its operands have different signs",
       [](double x, double y) {
         return std::signbit(x) != std::signbit(y) && is_below_or_above_zero(x) && is_below_or_above_zero(y);
       }},
      {"both operands are negative", [](double x, double y) { return x < 0 && y < 0; }},
  };
}

Compare relation_in(const JudgedResult& result) {
  return result.program->instructions.back().compare;
}

/// "in modes le and ge"
std::string in_modes(const std::vector<Compare>& modes) {
  std::string text = modes.size() == 1 ? "in mode " : "in modes ";
  for (std::size_t n = 0; n < modes.size(); ++n) {
    if (n > 0) text += n + 1 == modes.size() ? " and " : ", ";
    text += mode_name(modes[n]);
  }
  return text;
}

/// Is a result wrong if its mode is one of these and the data are such, and else right?
bool tells(const std::vector<JudgedResult>& results, const std::vector<Quantity>& numbers,
           const std::vector<Compare>& modes, const Data& data) {
  return std::ranges::all_of(results, [&](const JudgedResult& each) {
    const bool predicted = std::ranges::count(modes, relation_in(each)) > 0 &&
                           data.holds(numbers[0].value(each), numbers[1].value(each));
    return predicted == each.is_wrong;
  });
}

/// As a number of the integer type with the other sign.
double quantity_of(const Quantity& of, const JudgedResult& result) {
  const double value = of.value(result), modulus = std::ldexp(1.0, static_cast<int>(8 * size_of(of.type)));
  if (is_signed(of.type)) return value < 0 ? value + modulus : value;
  return value >= modulus / 2 ? value - modulus : value;
}

/// "takes src1 as unsigned numbers", if the other operand keeps its sign. Where all results ask whether two
/// numbers are equal, it may be either of them.
std::optional<std::string> with_one_other_sign(const std::vector<JudgedResult>& results,
                                               const std::vector<Quantity>& numbers) {
  if (!is_integer(numbers[0].type)) return {};
  std::string which;
  for (unsigned k = 0; k < 2; ++k) {
    const bool fits = std::ranges::all_of(results, [&](const JudgedResult& each) {
      double value[2] = {numbers[0].value(each), numbers[1].value(each)};
      value[k] = quantity_of(numbers[k], each);
      return ordered(relation_in(each), value[0], value[1]) == ((each.actual & 1) != 0);
    });
    if (fits)
      which = which.empty() ? numbers[k].short_name : which + " or " + numbers[k].short_name + " (not both)";
  }
  if (which.empty()) return {};
  return text_of_signs(numbers[0].type, which);
}

/// As the integers that their bits are, without a sign or with one.
std::int64_t integer_of(Element type, std::uint64_t bits, bool has_sign) {
  const std::uint64_t used = bits & all_bits(type);
  const bool negative = has_sign && (used >> (8 * size_of(type) - 1)) != 0;
  return static_cast<std::int64_t>(negative ? used | ~all_bits(type) : used);
}

/// Another way to compare two numbers.
struct Way {
  std::string text;
  std::string key;  ///< the same for a comparison with a scalar
  std::function<bool(Compare, const JudgedResult&)> is_true;
};

/// The second operand is the first one, or elements are taken for shorter integers.
std::vector<Way> ways_of_any_type(const Quantity& x, const Quantity& y) {
  std::vector<Way> ways;
  for (const Quantity& one : {x, y})
    ways.push_back({"compares " + one.short_name + " with itself", "compares an operand with itself",
                    [=](Compare mode, const JudgedResult& each) {
                      const double value = one.value(each);
                      if (std::isnan(value)) return (each.actual & 1) != 0;  // no document says
                      return ordered(mode, value, value);
                    }});
  for (const unsigned width : {8u, 16u}) {
    if (8 * size_of(x.type) <= width) continue;
    const auto number = [=](const Quantity& of, const JudgedResult& each) {
      const bool is_element = of.short_name != "scalar";
      return is_element ? static_cast<double>(of.bits(each) & ((1u << width) - 1)) : of.value(each);
    };
    const std::string text =
        "takes the lowest " + std::to_string(width) + " bits of each element for an integer";
    ways.push_back({text, text, [=](Compare mode, const JudgedResult& each) {
                      return ordered(mode, number(x, each), number(y, each));
                    }});
  }
  return ways;
}

std::vector<Way> ways_of_type(const std::vector<Quantity>& numbers) {
  const Quantity &x = numbers[0], &y = numbers[1];
  const Element type = x.type;
  const auto bits = [=](const Quantity& of, const JudgedResult& each, bool has_sign) {
    return integer_of(type, of.bits(each), has_sign);
  };
  if (!is_float(type))
    return {{"looks at the sign of the wrapped difference " + x.short_name + " - " + y.short_name,
             "looks at the sign of the wrapped difference", [=](Compare mode, const JudgedResult& each) {
               const auto difference = static_cast<std::uint64_t>(bits(x, each, true)) -
                                       static_cast<std::uint64_t>(bits(y, each, true));
               return ordered(mode, integer_of(type, difference, true), std::int64_t{0});
             }}};
  return {{"compares the bits of its elements as signed integers",
           "compares the bits of its elements as signed integers",
           [=](Compare mode, const JudgedResult& each) {
             return ordered(mode, bits(x, each, true), bits(y, each, true));
           }},
          {"compares the bits of its elements as unsigned integers",
           "compares the bits of its elements as unsigned integers",
           [=](Compare mode, const JudgedResult& each) {
             return ordered(mode, bits(x, each, false), bits(y, each, false));
           }},
          {"compares " + x.short_name + " - " + y.short_name + " with 0", "compares the difference with 0",
           [=](Compare mode, const JudgedResult& each) {
             const double difference = value_of(type, nearest(type, x.value(each) - y.value(each)));
             return ordered(mode, difference, 0.0);
           }}};
}

/// All results, or all of modes `modes`, are those of one other way to compare.
std::optional<ResultsLaw> other_way(const std::vector<JudgedResult>& results,
                                    const std::vector<Quantity>& numbers, const std::vector<Compare>& modes) {
  std::vector<Way> ways = ways_of_any_type(numbers[0], numbers[1]);
  std::ranges::move(ways_of_type(numbers), std::back_inserter(ways));
  const auto gives = [&](const Way& way, const auto& is_asked) {
    return std::ranges::all_of(results, [&](const JudgedResult& each) {
      const Compare mode = relation_in(each);
      return !is_asked(mode) || way.is_true(mode, each) == ((each.actual & 1) != 0);
    });
  };
  for (const Way& way : ways)
    if (gives(way, [](Compare) { return true; })) return ResultsLaw{way.text, way.key};
  for (const Way& way : ways)
    if (gives(way, [&](Compare mode) { return std::ranges::count(modes, mode) > 0; }))
      return ResultsLaw{way.text + " " + in_modes(modes), way.key + " " + in_modes(modes)};
  return {};
}

/// "is true": the bit that all wrong results are.
std::string wrong_bit(const std::vector<JudgedResult>& results) {
  bool any[2] = {false, false};
  for (const JudgedResult& each : results)
    if (each.is_wrong) any[each.actual & 1] = true;
  if (any[0] && any[1]) return "is inverted ";
  return any[1] ? "is true " : "is false ";
}

}  // namespace

std::optional<ResultsLaw> compare_law(const std::vector<JudgedResult>& results) {
  if (results.empty()) return {};
  const Instruction& insn = results.front().program->instructions.back();
  if (!row_of(insn.op).compares) return {};
  const std::vector<Quantity> numbers = numbers_of(insn);
  if (numbers.size() != 2) return {};
  if (auto text = with_one_other_sign(results, numbers)) return ResultsLaw{*std::move(text)};
  std::vector<Compare> modes;
  for (const Compare mode : kEveryCompare)
    if (std::ranges::any_of(
            results, [&](const JudgedResult& each) { return each.is_wrong && relation_in(each) == mode; }))
      modes.push_back(mode);
  for (const Data& data : data_of(numbers[0].name, numbers[1].name))
    if (tells(results, numbers, modes, data))
      return ResultsLaw{wrong_bit(results) + in_modes(modes) + " if " + data.text};
  return other_way(results, numbers, modes);
}

}  // namespace lanecheck
