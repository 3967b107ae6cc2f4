#include "fuzz/identify/values/rounding_law.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/values/rounding_rule.h"
#include "fuzz/identify/values/value_variants.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// One result of a cast.
struct RoundedResult {
  double number;  ///< the exact number that is rounded, or the f64 next to it
  RoundingPlace place;
  std::uint64_t actual, expected;
  bool is_wrong;
  std::uint64_t source;  ///< the bits of an element, if no scalar is multiplied by
};

/// What becomes of a number. Too great: infinite, or greater than the greatest element.
enum class Part : std::uint8_t {
  rounded,
  too_great,
  too_small,
  finite_too_great,
  finite_too_small,
  infinite,
  minus_infinite,
  not_a_number
};

/// All results of one mode.
struct OneMode {
  Element target, source;
  bool has_scalar;
  std::vector<RoundedResult> lines;
  std::vector<RoundedResult> inexact;  ///< of numbers that f64 does not hold
  std::vector<RoundedResult> open;     ///< other results than the documented ones, which are allowed too

  bool any_wrong() const {
    return std::ranges::any_of(lines, &RoundedResult::is_wrong) ||
           std::ranges::any_of(inexact, &RoundedResult::is_wrong);
  }

  bool is_beyond_finite(const RoundedResult& line) const {
    return is_float(target) && (std::isinf(line.place.below) || std::isinf(line.place.above));
  }

  Part part_of(const RoundedResult& line, double number) const {
    if (std::isnan(line.number)) return Part::not_a_number;
    if (is_float(target)) return Part::rounded;
    if (number > value_of(target, nearest(target, 1e300))) return Part::too_great;
    return number < value_of(target, nearest(target, -1e300)) ? Part::too_small : Part::rounded;
  }

  std::uint64_t bits_of(const RoundedResult& line, double number) const {
    if (is_float(target) && number == 0) number = std::copysign(0.0, line.number);
    return nearest(target, number);
  }

  /// Does the rule give these results, where the result is a number that fits?
  bool follows(const RoundingRule& rule, std::uint64_t RoundedResult::*result) const {
    const auto fits = [&](const RoundedResult& line) {
      if (rule.only_finite && is_beyond_finite(line)) return !line.is_wrong;
      const double number = rounded_by(rule, target, line.place);
      if (number == 0 && value_of(target, line.*result) == 0) return true;  // a zero of either sign
      return part_of(line, number) != Part::rounded || line.*result == bits_of(line, number) ||
             (result == &RoundedResult::expected && number == 0);
    };
    return std::ranges::all_of(lines, fits) && std::ranges::all_of(inexact, fits);
  }
};

std::optional<RoundingRule> rule_of(const OneMode& mode, std::uint64_t RoundedResult::*result) {
  for (const bool only_finite : {false, true})
    for (const bool only_halves : {true, false})
      for (const Towards towards : kTowards) {
        const RoundingRule rule{.only_halves = only_halves, .towards = towards, .only_finite = only_finite};
        if (mode.follows(rule, result)) return rule;
      }
  if (!is_integer(mode.target)) return {};
  for (const Sign sign : {Sign::any, Sign::positive, Sign::negative})
    for (const RoundingRule& one_too_far :
         {RoundingRule{false, Towards::above, 1, sign}, RoundingRule{false, Towards::below, -1, sign}})
      if (mode.follows(one_too_far, result)) return one_too_far;
  return {};
}

/// "rounds twice, first to f64": each number is rounded to another type before it is rounded as documented.
std::optional<std::string> rounded_twice(const OneMode& mode, const RoundingRule& documented) {
  const auto gives_all = [&](auto first) {
    const auto gives = [&](const RoundedResult& line) {
      if (!std::isfinite(line.number)) return !line.is_wrong;
      double number = first(line.number);
      if (std::isfinite(number))
        number = rounded_by(documented, mode.target, place_of(mode.target, mode.source, number));
      return line.actual == mode.bits_of(line, number);
    };
    return std::ranges::all_of(mode.lines, gives) && std::ranges::all_of(mode.inexact, gives);
  };
  if (!mode.inexact.empty() && gives_all([](double number) { return number; }))
    return "rounds twice\n, first to f64";
  for (const Element first : {Element::f32, Element::bf16, Element::f16})
    if (first != mode.source && first != mode.target &&
        gives_all([first](double number) { return value_of(first, nearest(first, number)); }))
      return "rounds twice\n, first to " + std::string(name_of(first));
  return {};
}

std::string text_of(Sign sign) {
  if (sign == Sign::any) return "";
  return sign == Sign::positive ? " positive" : " negative";
}

/// "rounds halves up (towards +infinity)", and what it should do instead
std::string text_of(const RoundingRule& rule, const RoundingRule& documented, const std::string& modes) {
  const bool both = rule.only_halves && documented.only_halves;
  const std::string nearest = both ? "" : "to the nearest, halves ";
  if (rule.to_whole != 0 && rule.towards == documented.towards && !documented.only_halves)
    return (rule.to_whole > 0 ? "adds 1 to" : "subtracts 1 from") + text_of(rule.of_sign) + " whole numbers" +
           modes;
  return (both ? "rounds halves " : "rounds ") + (rule.only_halves ? nearest : "") + text_of(rule.towards) +
         modes + ", instead of " + (documented.only_halves ? nearest : "") + text_of(documented.towards) +
         (rule.only_finite ? ", except numbers beyond the greatest finite one" : "");
}

std::string name_of_part(Part part, Element target) {
  const std::string type(name_of(target));
  switch (part) {
    case Part::too_great:
      return "numbers that are too great for " + type;
    case Part::too_small:
      return "numbers that are too small for " + type;
    case Part::finite_too_great:
      return "finite numbers that are too great for " + type;
    case Part::finite_too_small:
      return "finite numbers that are too small for " + type;
    case Part::infinite:
      return "+infinity";
    case Part::minus_infinite:
      return "-infinity";
    case Part::not_a_number:
    case Part::rounded:
      break;
  }
  return "NaN";
}

/// Is a number of part `of` one of `part`?
bool is_part(Part of, double number, Part part) {
  switch (part) {
    case Part::finite_too_great:
      return of == Part::too_great && std::isfinite(number);
    case Part::finite_too_small:
      return of == Part::too_small && std::isfinite(number);
    case Part::infinite:
      return of == Part::too_great && std::isinf(number);
    case Part::minus_infinite:
      return of == Part::too_small && std::isinf(number);
    case Part::rounded:
    case Part::too_great:
    case Part::too_small:
    case Part::not_a_number:
      break;
  }
  return of == part;
}

/// What becomes of all numbers of one part that is not rounded.
struct PartLaw {
  std::string text;  ///< empty: what the documents say
  bool wraps = false, may_wrap = false;
};

std::string text_of_wrap(Part part, Element target, bool of_f64) {
  const std::string bits = "the lowest " + std::to_string(8 * size_of(target)) + " bits" +
                           (of_f64 ? " of the f64 next to the number" : "");
  if (part != Part::too_great && part != Part::too_small)
    return "keeps " + bits + " of " + name_of_part(part, target) + "\n";
  return "wraps (keeps " + bits + ")" +
         (part == Part::too_small ? " below the least " : " above the greatest ") +
         std::string(name_of(target)) + "\n, instead of limiting";
}

/// "gives 32766 for numbers that are too great for i16". Nothing if no law gives all of them. `wraps`: a law
/// that may wrap does.
std::optional<PartLaw> law_of(const OneMode& mode, const RoundingRule& rule, Part part, bool wraps) {
  std::vector<std::pair<const RoundedResult*, double>> lines;
  bool any_wrong = false, any_inexact = false;
  const auto take = [&](const RoundedResult& line) {
    const double number = rounded_by(rule, mode.target, line.place);
    if (!is_part(mode.part_of(line, number), number, part)) return false;
    lines.emplace_back(&line, number);
    any_wrong |= line.is_wrong;
    return true;
  };
  std::ranges::for_each(mode.lines, take);
  for (const RoundedResult& line : mode.inexact) any_inexact |= take(line);
  if (!any_wrong) return PartLaw{};
  const auto all = [&](auto gives) {
    return std::ranges::all_of(lines,
                               [&](const auto& each) { return each.first->actual == gives(each.second); });
  };
  const auto keeps_lowest_bits = [&](bool of_f64) {
    if (any_inexact && !of_f64 && mode.has_scalar) return false;
    return std::ranges::all_of(lines, [&](const auto& each) {
      const RoundedResult& line = *each.first;
      if (any_inexact && !of_f64) return line.actual == (line.source & all_bits(mode.target));
      return line.actual == lowest_bits(mode.target, of_f64 ? line.number : each.second);
    });
  };
  const RoundedResult& first = *lines[0].first;
  const std::string of = name_of_part(part, mode.target);
  const bool may_wrap = part != Part::not_a_number && first.actual == 0 &&
                        std::ranges::all_of(lines, [](const auto& each) { return std::isinf(each.second); });
  if (!(wraps && may_wrap) && all([&](double) { return first.actual; }))
    return PartLaw{"gives " + show_element(mode.target, first.actual) + " for " + of + "\n, instead of " +
                       show_element(mode.target, first.expected),
                   false, may_wrap};
  if (part == Part::not_a_number) return {};
  for (const bool of_f64 : {false, any_inexact})
    if (keeps_lowest_bits(of_f64)) return PartLaw{text_of_wrap(part, mode.target, of_f64), true};
  for (const Element wide : {Element::i16, Element::i32, Element::i64})
    if (!any_inexact && size_of(wide) > size_of(mode.target) &&
        all([&](double number) { return nearest(wide, number) & all_bits(mode.target); }))
      return PartLaw{"limits numbers to " + std::string(name_of(wide)) + " and keeps the lowest " +
                     std::to_string(8 * size_of(mode.target)) + " bits of " + of + "\n"};
  return {};
}

/// Results that lie between other limits than those of the type: "limits its results to -127 .. 127".
std::optional<std::string> other_limits(const OneMode& mode, const RoundingRule& documented) {
  if (is_float(mode.target)) return {};
  const auto value = [&](const RoundedResult& line) { return value_of(mode.target, line.actual); };
  double least = 1e300, greatest = -1e300;
  for (const RoundedResult& line : mode.lines) {
    if (std::isnan(line.number)) continue;
    least = std::min(least, value(line));
    greatest = std::max(greatest, value(line));
  }
  const bool fits = std::ranges::all_of(mode.lines, [&](const RoundedResult& line) {
    if (std::isnan(line.number)) return !line.is_wrong;
    return value(line) == std::clamp(rounded_by(documented, mode.target, line.place), least, greatest);
  });
  if (!fits) return {};
  const bool holds_of_open = std::ranges::all_of(
      mode.open, [&](const RoundedResult& line) { return value(line) >= least && value(line) <= greatest; });
  if (!holds_of_open) {
    const double limit = value_of(mode.target, nearest(mode.target, 1e300));
    const bool above = greatest < limit;
    const std::string number = show_element(mode.target, nearest(mode.target, above ? greatest : least));
    return "gives " + number + " for each number " + (above ? "above" : "below") + " it";
  }
  return "limits its results to " + show_element(mode.target, nearest(mode.target, least)) + " .. " +
         show_element(mode.target, nearest(mode.target, greatest));
}

/// What one mode does. In the text, one "\n" stands where the mode is to be named.
struct ModeLaw {
  std::string text{};
  bool wraps_below = false, wraps_above = false, may_wrap = false;
  bool only_wraps = true;

  bool operator==(const ModeLaw&) const = default;

  void add(std::string law) {
    if (!text.empty()) std::erase(law, '\n');  // the first law names the mode
    text += (text.empty() ? "" : ", and ") + law;
  }

  void add(const PartLaw& law, Part part) {
    if (law.text.empty()) return;
    add(law.text);
    may_wrap |= law.may_wrap;
    only_wraps &= law.wraps && (part == Part::too_great || part == Part::too_small);
    (part == Part::too_great ? wraps_above : wraps_below) |= law.wraps;
  }
};

/// The laws for numbers that are not rounded. False if a wrong result follows none.
bool add_laws_of_others(const OneMode& mode, const RoundingRule& rule, bool wraps, ModeLaw& said) {
  const std::vector<std::vector<Part>> parts = {
      {Part::too_great, Part::finite_too_great, Part::infinite},
      {Part::too_small, Part::finite_too_small, Part::minus_infinite},
      {Part::not_a_number}};
  for (const std::vector<Part>& alternatives : parts) {
    const auto whole = law_of(mode, rule, alternatives[0], wraps);
    if (whole) said.add(*whole, alternatives[0]);
    if (!whole && alternatives.size() == 1) return false;
    if (whole) continue;
    for (const Part part : {alternatives[1], alternatives[2]}) {
      const auto law = law_of(mode, rule, part, wraps);
      if (!law) return false;
      said.add(*law, part);
    }
  }
  return true;
}

/// The law of one mode. Nothing if a wrong result follows none.
std::optional<ModeLaw> laws_of(const OneMode& mode, bool wraps) {
  auto documented = rule_of(mode, &RoundedResult::expected);
  if (!documented) return {};
  ModeLaw said;
  const auto alone = [&](std::string text) {
    said.only_wraps = false;
    said.add(std::move(text));
    return said;
  };
  if (auto twice = rounded_twice(mode, *documented)) return alone(*std::move(twice));
  const bool is_right = mode.follows(*documented, &RoundedResult::actual);
  const auto rule = is_right ? documented : rule_of(mode, &RoundedResult::actual);
  const bool any_wrong_inexact = std::ranges::any_of(mode.inexact, [&](const RoundedResult& line) {
    if (!line.is_wrong) return false;
    return !rule || mode.part_of(line, rounded_by(*rule, mode.target, line.place)) != Part::rounded;
  });
  if (any_wrong_inexact && (!rule || is_float(mode.target))) return {};  // laws of others need all bits
  const auto limits = rule ? std::nullopt : other_limits(mode, *documented);
  if (limits) return alone(*limits + "\n");
  if (!rule) return {};
  // Where all numbers are positive, several rules are the documented one.
  if (rule->to_whole != 0 && mode.follows({false, rule->towards}, &RoundedResult::expected))
    documented = RoundingRule{false, rule->towards};
  if (*rule != *documented) said = alone(text_of(*rule, *documented, "\n"));
  if (!add_laws_of_others(mode, *rule, wraps, said) || said.text.empty()) return {};
  return said;
}

OneMode mode_of(const std::vector<JudgedResult>& results, Round round) {
  const Instruction& insn = results.front().program->instructions.back();
  OneMode mode{insn.dst_type, insn.src_type, takes_scalar(insn), {}, {}, {}};
  for (const JudgedResult& each : results) {
    const Instruction& one = each.program->instructions.back();
    if (one.round != round) continue;
    const std::uint64_t source = source_bits(*each.program, 1, each.number);
    double number = value_of(insn.src_type, source);
    if (takes_scalar(one)) number *= value_of(scalar_type(one), one.scalar.bits);
    const double sticky = is_integer(insn.src_type) && size_of(insn.src_type) == 8
                              ? with_sticky_bit(insn.src_type, source)
                              : number;
    const bool is_inexact = std::isfinite(number) && sticky != number;
    const RoundingPlace place = std::isfinite(number) ? place_of(insn.dst_type, insn.src_type, sticky)
                                                      : RoundingPlace{number, number, number, true};
    // What the documents leave open shows no law.
    const bool is_open = !each.is_wrong && each.actual != each.expected;
    (is_open      ? mode.open
     : is_inexact ? mode.inexact
                  : mode.lines)
        .push_back({number, place, each.actual, each.expected, each.is_wrong, source});
  }
  return mode;
}

}  // namespace

std::optional<ResultsLaw> rounding_law(const std::vector<JudgedResult>& results, bool wraps) {
  if (results.empty()) return {};
  const Instruction& insn = results.front().program->instructions.back();
  if (!row_of(insn.op).rounds || !has_result_of_each_lane(insn)) return {};
  const TypePair* types = types_of(insn, results.front().program->profile);
  if (types == nullptr) return {};
  std::vector<std::pair<ModeLaw, std::vector<Round>>> laws;
  for (const Round round : modes_of(*types)) {
    const OneMode mode = mode_of(results, round);
    if (!mode.any_wrong()) continue;
    const auto law = laws_of(mode, wraps);
    if (!law) return {};
    const auto same = std::ranges::find_if(laws, [&](const auto& each) { return each.first == *law; });
    if (same != laws.end())
      same->second.push_back(round);
    else
      laws.push_back({*law, {round}});
  }
  ResultsLaw said;
  for (auto& [law, rounds] : laws) {
    std::string modes = rounds.size() == 1 ? " in mode " : " in modes ";
    for (std::size_t n = 0; n < rounds.size(); ++n) {
      if (n > 0) modes += n + 1 == rounds.size() ? " and " : ", ";
      modes += mode_name(rounds[n]);
    }
    if (rounds.size() == modes_of(*types).size()) modes = rounds.size() == 1 ? "" : " in every mode";
    if (laws.size() == 1 && law.only_wraps)
      said.key = std::string("wraps") + (law.wraps_below ? " below the least" : "") +
                 (law.wraps_below && law.wraps_above ? " and" : "") +
                 (law.wraps_above ? " above the greatest" : "") + " value" +
                 (rounds.size() == modes_of(*types).size() ? "" : modes);
    said.may_wrap |= law.may_wrap;
    law.text.replace(law.text.find('\n'), 1, modes);
    said.text += (said.text.empty() ? "" : "; it ") + law.text;
  }
  return said.text.empty() ? std::nullopt : std::optional(said);
}

}  // namespace lanecheck
