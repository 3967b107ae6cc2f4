#include "fuzz/identify/values/value_formula.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/identify/values/formula.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// How an implementation gets from numbers to elements.
enum class Steps : std::uint8_t {
  rounded_each,    ///< floats: after each step; integers wrap around
  rounded_once,    ///< floats: after the last step
  fused,           ///< f32: a product and a sum with one rounding
  in_f32,          ///< in f32, then rounded to the type
  in_source_type,  ///< the first step is rounded to the type of the sources
  narrow,          ///< all is read, and computed, in the type of the sources
  limited,         ///< to the least and the greatest finite value of the type
  cut,             ///< integers: to the least and the greatest result that the backend gives
  in_f32_limited,  ///< integers: in f32, then limited to the type; in_f32 wraps around
  to_f32,          ///< integers: the exact result is rounded to f32 and wraps around
  to_f32_limited,
};
constexpr Steps kSteps[] = {Steps::rounded_each,   Steps::rounded_once,   Steps::fused,         Steps::in_f32,
                            Steps::in_source_type, Steps::narrow,         Steps::limited,       Steps::cut,
                            Steps::to_f32,         Steps::in_f32_limited, Steps::to_f32_limited};

/// Integers that become f32 numbers on the way.
bool is_through_f32(Steps steps) {
  return steps == Steps::in_f32 || steps == Steps::to_f32 || steps == Steps::in_f32_limited ||
         steps == Steps::to_f32_limited;
}

constexpr unsigned kMostOperands = 3;

/// The operands of one result as bits, and the two results.
struct Line {
  std::array<std::uint64_t, kMostOperands> operands{};
  std::uint64_t actual = 0, expected = 0;
};

struct Lines {
  std::vector<std::string> names;  ///< of the operands
  std::vector<Element> types;
  Element dst = Element::f32, src = Element::f32;
  std::vector<Line> all;
  double least = 0, greatest = 0;  ///< of the backend's results

  bool of_integers() const { return is_integer(dst); }
};

/// As a number of the type, or of the integer type with the other sign.
std::int64_t integer_with_sign(Element type, std::uint64_t bits, bool other_sign) {
  const unsigned width = 8 * size_of(type);
  const bool takes_sign = is_signed(type) != other_sign;
  const bool negative = takes_sign && (bits >> (width - 1) & 1) != 0;
  return static_cast<std::int64_t>(negative ? bits | ~all_bits(type) : bits);
}

std::uint64_t limited_to(Element type, double value) {
  const std::uint64_t bits = nearest(type, value);
  if (!std::isinf(value_of(type, bits))) return bits;
  return bits - 1;  // the greatest finite value has the bits before those of infinity
}

/// Which operands are taken as numbers of the other sign.
using OtherSign = std::array<bool, kMostOperands>;

class Computed {
 public:
  Computed(const Lines& lines, const Formula& formula, Steps steps, OtherSign other_sign = {})
      : lines_(lines), formula_(formula), steps_(steps), other_sign_(other_sign) {}

  std::uint64_t of(const Line& line) const { return lines_.of_integers() ? integer(line) : number(line); }

  /// Of integers, without a limit.
  double exact(const Line& line) const {
    const auto at = [&](unsigned k) {
      return static_cast<double>(integer_with_sign(lines_.types[k], line.operands[k], false));
    };
    const double first = calculated(formula_.first, at(formula_.a), at(formula_.b));
    return calculated(formula_.last, first, third(first, at));
  }

  /// Does a choice meet NaN as the result of the step before?
  bool chooses_nan(const Line& line) const {
    const auto at = [&](unsigned k) { return value_of(lines_.types[k], line.operands[k]); };
    return formula_.chooses() && std::isnan(calculated(formula_.first, at(formula_.a), at(formula_.b)));
  }

 private:
  template <class Number, class At>
  Number third(Number first, At at) const {
    return formula_.c == Formula::kFirstStep ? first : at(formula_.c);
  }

  std::uint64_t integer(const Line& line) const {
    const auto at = [&](unsigned k) {
      return integer_with_sign(lines_.types[k], line.operands[k], other_sign_[k]);
    };
    if (steps_ == Steps::limited) return nearest(lines_.dst, exact(line));
    if (steps_ == Steps::cut)
      return nearest(lines_.dst, std::clamp(exact(line), lines_.least, lines_.greatest));
    if (is_through_f32(steps_)) return through_f32(at);
    return static_cast<std::uint64_t>(exact_integer(at)) & all_bits(lines_.dst);
  }

  template <class At>
  std::int64_t exact_integer(At at) const {
    const std::int64_t first = wrapped(formula_.first, at(formula_.a), at(formula_.b));
    return wrapped(formula_.last, first, third(first, at));
  }

  template <class At>
  std::uint64_t through_f32(At at) const {
    const auto as_float = [&](unsigned k) { return static_cast<float>(at(k)); };
    float result = 0;
    if (steps_ == Steps::to_f32 || steps_ == Steps::to_f32_limited) {
      result = static_cast<float>(exact_integer(at));
    } else {
      const float first = calculated(formula_.first, as_float(formula_.a), as_float(formula_.b));
      result = calculated(formula_.last, first, third(first, as_float));
    }
    if (steps_ == Steps::in_f32_limited || steps_ == Steps::to_f32_limited)
      return nearest(lines_.dst, result);
    if (!(std::abs(result) < 0x1p63F)) return 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(result)) & all_bits(lines_.dst);
  }

  std::uint64_t number(const Line& line) const {
    const auto at = [&](unsigned k) {
      const Element type = steps_ == Steps::narrow ? lines_.src : lines_.types[k];
      return value_of(type, line.operands[k] & all_bits(type));
    };
    if (steps_ == Steps::fused) return fused(at(formula_.a), at(formula_.b), at(formula_.c));
    const double first = rounded(calculated(formula_.first, at(formula_.a), at(formula_.b)));
    const double last = calculated(formula_.last, first, third(first, at));
    if (steps_ == Steps::limited) return limited_to(lines_.dst, last);
    if (steps_ == Steps::narrow) return nearest(lines_.dst, rounded(last));
    return nearest(lines_.dst,
                   steps_ == Steps::in_f32 ? static_cast<double>(static_cast<float>(last)) : last);
  }

  std::uint64_t fused(double a, double b, double c) const {
    const double factor = formula_.last == Calculation::reverse_difference ? -a : a;
    const double more = formula_.last == Calculation::difference ? -c : c;
    return nearest(lines_.dst,
                   std::fma(static_cast<float>(factor), static_cast<float>(b), static_cast<float>(more)));
  }

  double rounded(double value) const {
    switch (steps_) {
      case Steps::rounded_once:
      case Steps::fused:
        break;
      case Steps::in_f32:
        return static_cast<float>(value);
      case Steps::in_source_type:
      case Steps::narrow:
        return value_of(lines_.src, nearest(lines_.src, value));
      case Steps::rounded_each:
      case Steps::limited:
      case Steps::cut:
      case Steps::in_f32_limited:
      case Steps::to_f32:
      case Steps::to_f32_limited:
        return value_of(lines_.dst, nearest(lines_.dst, value));
    }
    return value;
  }

  const Lines& lines_;
  const Formula& formula_;
  Steps steps_;
  OtherSign other_sign_;
};

bool has_nan(const Lines& lines, const Formula& formula, const Line& line) {
  for (unsigned k = 0; k < lines.types.size(); ++k)
    if (formula.uses(k) && is_nan(lines.types[k], line.operands[k])) return true;
  return false;
}

bool has_infinite(const Lines& lines, const Line& line) {
  for (unsigned k = 0; k < lines.types.size(); ++k)
    if (is_float(lines.types[k]) && !std::isfinite(value_of(lines.types[k], line.operands[k]))) return true;
  return false;
}

/// NaNs are alike. Zeros are if the documents leave their sign open.
bool is_like(Element type, std::uint64_t a, std::uint64_t b, bool zeros_alike) {
  if (same_value(type, a, b)) return true;
  return zeros_alike && is_float(type) && value_of(type, a) == 0 && value_of(type, b) == 0;
}

bool gives_all(const Lines& lines, const Formula& formula, const Computed& computed) {
  return std::ranges::all_of(lines.all, [&](const Line& line) {
    if (formula.chooses() && has_nan(lines, formula, line)) return true;  // no document says
    if (!lines.of_integers() && computed.chooses_nan(line)) return true;
    return is_like(lines.dst, computed.of(line), line.actual, formula.chooses());
  });
}

/// The documented results of finite numbers tell which formula the documents mean.
bool is_documented(const Lines& lines, const Formula&, const Computed& computed) {
  return std::ranges::all_of(lines.all, [&](const Line& line) {
    return has_infinite(lines, line) || is_like(lines.dst, computed.of(line), line.expected, true);
  });
}

struct Found {
  Formula formula;
  Steps steps;
};

bool can_be_fused(const Lines& lines, const Formula& formula) {
  using enum Calculation;
  return lines.dst == Element::f32 && formula.first == product && formula.c != Formula::kFirstStep &&
         (formula.last == sum || formula.last == difference || formula.last == reverse_difference);
}

template <class Fits>
std::optional<Found> first_that_fits(const Lines& lines, Fits fits) {
  const bool has_f16 = size_of(lines.dst) == 2;
  for (const Formula& formula : formulas_of(static_cast<unsigned>(lines.names.size()), lines.of_integers()))
    for (const Steps steps : kSteps) {
      const bool is_cut = steps == Steps::cut, through_f32 = is_through_f32(steps);
      const bool of_both = steps == Steps::rounded_each || steps == Steps::limited;
      const bool of_integers = is_cut || through_f32, of_f16 = steps == Steps::in_f32 && has_f16;
      if (!of_both && !(lines.of_integers() ? of_integers : !of_integers || of_f16)) continue;
      if (steps == Steps::fused && !can_be_fused(lines, formula)) continue;
      const bool by_source = steps == Steps::in_source_type || steps == Steps::narrow;
      if (by_source && size_of(lines.src) >= size_of(lines.dst)) continue;
      if ((steps == Steps::limited || is_cut || (lines.of_integers() && through_f32)) &&
          (formula.has(Calculation::bits_of_both) || formula.has(Calculation::bits_of_either)))
        continue;
      if (fits(lines, formula, Computed(lines, formula, steps))) return Found{formula, steps};
    }
  return {};
}

/// Do documented results wrap around? A scalar, or the greater of two numbers, always fits into the type.
bool wraps_around(const Lines& lines, const Found& documented) {
  const Computed computed(lines, documented.formula, documented.steps);
  const double least = value_of(lines.dst, nearest(lines.dst, -1e30)),
               greatest = value_of(lines.dst, nearest(lines.dst, 1e30));
  return documented.steps == Steps::rounded_each && std::ranges::any_of(lines.all, [&](const Line& line) {
           const double exact = computed.exact(line);
           return exact < least || exact > greatest;
         });
}

/// "-4 .. 127": the least and the greatest result of the backend.
std::string range_text(const Lines& lines) {
  return show_element(lines.dst, nearest(lines.dst, lines.least)) + " .. " +
         show_element(lines.dst, nearest(lines.dst, lines.greatest));
}

/// The same formula as the documented one, computed in another way.
std::string text_of_steps(const Lines& lines, Steps steps, const Found& documented, const std::string& text) {
  const bool wraps = lines.of_integers() && wraps_around(lines, documented);
  const std::string limits =
      ", and gives the least or the greatest value of the type where a result does not fit";
  switch (steps) {
    case Steps::rounded_each:
      if (lines.of_integers()) return "wraps around where " + text + " does not fit";
      return "rounds each step of " + text;
    case Steps::rounded_once:
    case Steps::fused:
      return "rounds " + text + " once, after the last step";
    case Steps::in_f32:
      if (lines.of_integers()) return "computes " + text + " in f32, with 24 significant bits";
      return "computes " + text + " in f32, with one rounding to " + std::string(name_of(lines.dst));
    case Steps::in_f32_limited:
      return "computes " + text + " in f32, with 24 significant bits" + limits;
    case Steps::to_f32:
      return "rounds the exact result of " + text + " to f32, which has 24 significant bits";
    case Steps::to_f32_limited:
      return "rounds the exact result of " + text + " to f32, which has 24 significant bits" + limits;
    case Steps::in_source_type:
      return "rounds the product in " + text + " to " + std::string(name_of(lines.src));
    case Steps::narrow:
      return "reads old dst as " + std::string(name_of(lines.src)) + ", and computes " + text +
             " in that type";
    case Steps::cut:
      return "limits " + text + " to " + range_text(lines) + (wraps ? " instead of wrapping around" : "");
    case Steps::limited:
      break;
  }
  return lines.of_integers() ? "gives the least or the greatest value of the type where " + text +
                                   " does not fit" + (wraps ? ", instead of wrapping around" : "")
                             : "gives the greatest finite value of the type instead of an infinite result";
}

/// The key does not hang on the formula, so that all instructions of one such unit have it.
ResultsLaw other_steps(const Lines& lines, Steps steps, const Found& documented, const std::string& text) {
  const bool loses_bits = lines.of_integers() && is_through_f32(steps);
  return {text_of_steps(lines, steps, documented, text),
          loses_bits ? kThroughF32Key : text_of_steps(lines, steps, documented, "its result")};
}

/// "takes its scalar as an unsigned number"
std::optional<std::string> with_other_signs(const Lines& lines, const Formula& documented) {
  if (!lines.of_integers()) return {};
  for (unsigned chosen = 1; chosen < 1U << lines.names.size(); ++chosen) {
    OtherSign other_sign{};
    std::string of;
    for (unsigned k = 0; k < lines.names.size(); ++k) {
      other_sign[k] = (chosen >> k & 1) != 0;
      if (other_sign[k]) of += (of.empty() ? "" : " and ") + lines.names[k];
    }
    if (!gives_all(lines, documented, Computed(lines, documented, Steps::rounded_each, other_sign))) continue;
    if (documented.chooses() && chosen + 1 == 1U << lines.names.size())
      return std::string("compares its elements as ") + (is_signed(lines.dst) ? "unsigned" : "signed") +
             " numbers";
    return text_of_signs(lines.dst, of);
  }
  return {};
}

Line line_of(const std::vector<Quantity>& numbers, const JudgedResult& result) {
  Line line;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    line.operands[k] = numbers[k].bits(result) & all_bits(numbers[k].type);
  line.actual = result.actual;
  line.expected = result.expected;
  return line;
}

/// Empty if the instruction is not computed from such operands.
Lines lines_of(const std::vector<JudgedResult>& results) {
  Lines lines;
  if (results.empty()) return lines;
  const Instruction& insn = results.front().program->instructions.back();
  const Row& row = row_of(insn.op);
  if (!has_result_of_each_lane(insn) || row.compares || row.rounds) return lines;
  const std::vector<Quantity> numbers = numbers_of(insn);
  if (numbers.empty() || numbers.size() > kMostOperands) return lines;
  lines.dst = insn.dst_type;
  lines.src = insn.src_type;
  for (const Quantity& each : numbers) {
    if (is_float(each.type) != is_float(lines.dst)) return lines;
    lines.names.push_back(each.short_name);
    lines.types.push_back(each.type);
  }
  for (const JudgedResult& result : results) {
    const Line line = line_of(numbers, result);
    const double value = value_of(lines.dst, line.actual);
    lines.least = lines.all.empty() ? value : std::min(lines.least, value);
    lines.greatest = lines.all.empty() ? value : std::max(lines.greatest, value);
    lines.all.push_back(line);
  }
  return lines;
}

}  // namespace

std::optional<ResultsLaw> formula_that_gives(const std::vector<JudgedResult>& results) {
  const Lines lines = lines_of(results);
  if (lines.all.empty()) return {};
  const auto is_first = [&](const Line& line) { return line.actual == lines.all[0].actual; };
  if (std::ranges::all_of(lines.all, is_first))
    return ResultsLaw{"gives " + show_element(lines.dst, lines.all[0].actual) + " whatever its operands are"};
  const auto documented = first_that_fits(lines, is_documented);
  if (documented)
    if (auto text = with_other_signs(lines, documented->formula)) return ResultsLaw{*std::move(text)};
  const auto actual = first_that_fits(lines, gives_all);
  if (!actual) return {};
  const std::string text = text_of(actual->formula, lines.names);
  const bool is_plain = actual->steps == Steps::rounded_each || actual->steps == Steps::rounded_once;
  if (!documented) return is_plain ? std::optional(ResultsLaw{"computes " + text}) : std::nullopt;
  const std::string should = text_of(documented->formula, lines.names);
  if (text == should) return other_steps(lines, actual->steps, *documented, text);
  if (actual->steps == Steps::cut)
    return ResultsLaw{"computes " + text + ", limited to " + range_text(lines) + ", instead of " + should};
  return ResultsLaw{"computes " + text + " instead of " + should};
}

std::optional<Condition> too_large_a_result(const std::vector<JudgedResult>& results) {
  const Lines lines = lines_of(results);
  if (lines.all.empty() || !lines.of_integers()) return {};
  const auto documented = first_that_fits(lines, is_documented);
  if (!documented || documented->steps != Steps::rounded_each) return {};
  Lines shape = lines;
  shape.all.clear();
  const double least = value_of(lines.dst, nearest(lines.dst, -1e30)),
               greatest = value_of(lines.dst, nearest(lines.dst, 1e30));
  const auto numbers = numbers_of(results.front().program->instructions.back());
  return Condition{
      text_of(documented->formula, lines.names), "does not fit into " + std::string(name_of(lines.dst)),
      [=, formula = documented->formula](const JudgedResult& result) {
        const double exact = Computed(shape, formula, Steps::cut).exact(line_of(numbers, result));
        return exact < least || exact > greatest;
      }};
}

}  // namespace lanecheck
