#include "fuzz/identify/values/rounding_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "fuzz/identify/values/value_variants.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Which of two neighbours a number between them becomes.
enum class Towards : std::uint8_t { even, odd, outwards, zero, above, below };
constexpr std::array kTowards = {Towards::even, Towards::outwards, Towards::zero,
                                 Towards::odd,  Towards::above,    Towards::below};

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

/// All numbers go `towards`, or only those that are halfway between two neighbours. `to_whole` is added to a
/// number that is whole already: a wrong implementation may do so.
struct Rule {
  bool only_halves = false;
  Towards towards = Towards::even;
  int to_whole = 0;

  bool operator==(const Rule&) const = default;
};

/// A number and the elements next to it; all three are the same if the number is an element itself.
struct Place {
  double number, below, above;
  bool below_is_even;
};

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

Place place_of(Element target, Element source, double number) {
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

double choose(Towards towards, const Place& place) {
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

double rounded(const Rule& rule, Element target, const Place& place) {
  if (place.below == place.above) return place.below + rule.to_whole;
  if (!rule.only_halves) return choose(rule.towards, place);
  const double down = place.number - finite(target, place.below);
  const double up = finite(target, place.above) - place.number;
  if (down == up) return choose(rule.towards, place);
  return down < up ? place.below : place.above;
}

/// One result of a cast.
struct Line {
  double number;  ///< the exact number that is rounded
  Place place;
  std::uint64_t actual, expected;
  bool is_wrong;
};

/// What becomes of a number.
enum class Part : std::uint8_t {
  rounded,
  too_great,  ///< infinite, or greater than the greatest element
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
  std::vector<Line> lines;

  bool any_wrong() const { return std::ranges::any_of(lines, &Line::is_wrong); }

  Part part_of(const Line& line, double number) const {
    if (std::isnan(line.number)) return Part::not_a_number;
    if (is_float(target)) return Part::rounded;
    if (number > value_of(target, nearest(target, 1e300))) return Part::too_great;
    return number < value_of(target, nearest(target, -1e300)) ? Part::too_small : Part::rounded;
  }

  std::uint64_t bits_of(const Line& line, double number) const {
    if (is_float(target) && number == 0) number = std::copysign(0.0, line.number);
    return nearest(target, number);
  }

  /// Does the rule give these results, where the result is a number that fits?
  bool follows(const Rule& rule, std::uint64_t Line::*result) const {
    return std::ranges::all_of(lines, [&](const Line& line) {
      const double number = rounded(rule, target, line.place);
      return part_of(line, number) != Part::rounded || line.*result == bits_of(line, number) ||
             (result == &Line::expected && number == 0);
    });
  }
};

std::optional<Rule> rule_of(const OneMode& mode, std::uint64_t Line::*result) {
  for (const bool only_halves : {true, false})
    for (const Towards towards : kTowards)
      if (mode.follows({only_halves, towards}, result)) return Rule{only_halves, towards};
  if (!is_integer(mode.target)) return {};
  for (const Rule& one_too_far : {Rule{false, Towards::above, 1}, Rule{false, Towards::below, -1}})
    if (mode.follows(one_too_far, result)) return one_too_far;
  return {};
}

/// "rounds halves up (towards +infinity)", and what it should do instead
std::string text_of(const Rule& rule, const Rule& documented, const std::string& modes) {
  const bool both = rule.only_halves && documented.only_halves;
  const std::string nearest = both ? "" : "to the nearest, halves ";
  if (rule.to_whole != 0 && rule.towards == documented.towards && !documented.only_halves)
    return (rule.to_whole > 0 ? "adds 1 to" : "subtracts 1 from") + std::string(" whole numbers") + modes;
  return (both ? "rounds halves " : "rounds ") + (rule.only_halves ? nearest : "") + text_of(rule.towards) +
         modes + ", instead of " + (documented.only_halves ? nearest : "") + text_of(documented.towards);
}

/// The integer that has the lowest bits of a number.
std::uint64_t lowest_bits(Element type, double number) {
  const double two64 = 0x1p64;
  if (!std::isfinite(number)) return 0;
  const auto magnitude = static_cast<std::uint64_t>(std::fmod(std::abs(number), two64));
  return (number < 0 ? ~magnitude + 1 : magnitude) & all_bits(type);
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

/// What becomes of all numbers of one part that is not rounded: "gives 32766 for numbers that are too great
/// for i16". Empty if that is as documented, nothing if no law gives it.
std::optional<std::string> law_of(const OneMode& mode, const Rule& rule, Part part) {
  std::vector<std::pair<const Line*, double>> lines;
  bool any_wrong = false;
  for (const Line& line : mode.lines) {
    const double number = rounded(rule, mode.target, line.place);
    if (!is_part(mode.part_of(line, number), number, part)) continue;
    lines.emplace_back(&line, number);
    any_wrong |= line.is_wrong;
  }
  if (!any_wrong) return "";
  const auto all = [&](auto gives) {
    return std::ranges::all_of(lines,
                               [&](const auto& each) { return each.first->actual == gives(each.second); });
  };
  const Line& first = *lines[0].first;
  const std::string of = name_of_part(part, mode.target);
  if (all([&](double) { return first.actual; }))
    return "gives " + show_element(mode.target, first.actual) + " for " + of + "\n, instead of " +
           show_element(mode.target, first.expected);
  if (part == Part::not_a_number) return {};
  if (all([&](double number) { return lowest_bits(mode.target, number); }))
    return "keeps the lowest " + std::to_string(8 * size_of(mode.target)) + " bits of " + of + "\n";
  for (const Element wide : {Element::i16, Element::i32, Element::i64})
    if (size_of(wide) > size_of(mode.target) &&
        all([&](double number) { return nearest(wide, number) & all_bits(mode.target); }))
      return "limits numbers to " + std::string(name_of(wide)) + " and keeps the lowest " +
             std::to_string(8 * size_of(mode.target)) + " bits of " + of + "\n";
  return {};
}

/// Results that lie between other limits than those of the type: "limits its results to -127 .. 127".
std::optional<std::string> other_limits(const OneMode& mode, const Rule& documented) {
  if (is_float(mode.target)) return {};
  const auto value = [&](const Line& line) { return value_of(mode.target, line.actual); };
  double least = 1e300, greatest = -1e300;
  for (const Line& line : mode.lines) {
    if (std::isnan(line.number)) continue;
    least = std::min(least, value(line));
    greatest = std::max(greatest, value(line));
  }
  const bool fits = std::ranges::all_of(mode.lines, [&](const Line& line) {
    if (std::isnan(line.number)) return !line.is_wrong;
    return value(line) == std::clamp(rounded(documented, mode.target, line.place), least, greatest);
  });
  if (!fits) return {};
  return "limits its results to " + show_element(mode.target, nearest(mode.target, least)) + " .. " +
         show_element(mode.target, nearest(mode.target, greatest));
}

/// The laws for numbers that are not rounded. False if a wrong result follows none.
bool add_laws_of_others(const OneMode& mode, const Rule& rule, std::vector<std::string>& laws) {
  const std::vector<std::vector<Part>> parts = {
      {Part::too_great, Part::finite_too_great, Part::infinite},
      {Part::too_small, Part::finite_too_small, Part::minus_infinite},
      {Part::not_a_number}};
  for (const std::vector<Part>& alternatives : parts) {
    const auto whole = law_of(mode, rule, alternatives[0]);
    if (whole && !whole->empty()) laws.push_back(*whole);
    if (whole) continue;
    if (alternatives.size() == 1) return false;
    for (const Part part : {alternatives[1], alternatives[2]}) {
      const auto law = law_of(mode, rule, part);
      if (!law) return false;
      if (!law->empty()) laws.push_back(*law);
    }
  }
  return true;
}

/// The laws of one mode, with one "\n" where the mode is to be named. Nothing if a wrong result follows no
/// law.
std::optional<std::string> laws_of(const OneMode& mode) {
  auto documented = rule_of(mode, &Line::expected);
  if (!documented) return {};
  const bool is_right = mode.follows(*documented, &Line::actual);
  const auto rule = is_right ? documented : rule_of(mode, &Line::actual);
  if (!rule) {
    if (auto limits = other_limits(mode, *documented)) return *limits + "\n";
    return {};
  }
  // Where all numbers are positive, several rules are the documented one.
  if (rule->to_whole != 0 && mode.follows({false, rule->towards}, &Line::expected))
    documented = Rule{false, rule->towards};
  std::vector<std::string> laws;
  if (*rule != *documented) laws.push_back(text_of(*rule, *documented, "\n"));
  if (!add_laws_of_others(mode, *rule, laws) || laws.empty()) return {};
  std::string text;
  for (std::string& law : laws) {
    if (!text.empty()) std::erase(law, '\n');  // the first law names the mode
    text += (text.empty() ? "" : ", and ") + law;
  }
  return text;
}

OneMode mode_of(const std::vector<JudgedResult>& results, Round round) {
  const Instruction& insn = results.front().program->instructions.back();
  OneMode mode{insn.dst_type, insn.src_type, {}};
  for (const JudgedResult& each : results) {
    const Instruction& one = each.program->instructions.back();
    if (one.round != round) continue;
    double number = value_of(insn.src_type, source_bits(*each.program, 1, each.number));
    if (takes_scalar(one)) number *= value_of(scalar_type(one), one.scalar.bits);
    if (size_of(insn.src_type) == 8 && std::abs(number) > 0x1p53) continue;  // a double does not hold it
    const Place place = std::isfinite(number) ? place_of(insn.dst_type, insn.src_type, number)
                                              : Place{number, number, number, true};
    // What the documents leave open shows no law.
    if (!each.is_wrong && each.actual != each.expected) continue;
    mode.lines.push_back({number, place, each.actual, each.expected, each.is_wrong});
  }
  return mode;
}

}  // namespace

std::optional<std::string> rounding_law(const std::vector<JudgedResult>& results) {
  if (results.empty()) return {};
  const Instruction& insn = results.front().program->instructions.back();
  if (!row_of(insn.op).rounds || !has_result_of_each_lane(insn)) return {};
  const TypePair* types = types_of(insn, results.front().program->profile);
  if (types == nullptr) return {};
  std::vector<std::pair<std::string, std::vector<Round>>> laws;
  for (const Round round : modes_of(*types)) {
    const OneMode mode = mode_of(results, round);
    if (!mode.any_wrong()) continue;
    const auto law = laws_of(mode);
    if (!law) return {};
    const auto same = std::ranges::find_if(laws, [&](const auto& each) { return each.first == *law; });
    if (same != laws.end())
      same->second.push_back(round);
    else
      laws.push_back({*law, {round}});
  }
  std::string text;
  for (auto& [law, rounds] : laws) {
    std::string modes = rounds.size() == 1 ? " in mode " : " in modes ";
    for (std::size_t n = 0; n < rounds.size(); ++n) {
      if (n > 0) modes += n + 1 == rounds.size() ? " and " : ", ";
      modes += mode_name(rounds[n]);
    }
    if (rounds.size() == modes_of(*types).size()) modes = rounds.size() == 1 ? "" : " in every mode";
    law.replace(law.find('\n'), 1, modes);
    text += (text.empty() ? "" : "; it ") + law;
  }
  if (text.empty()) return {};
  return text;
}

}  // namespace lanecheck
