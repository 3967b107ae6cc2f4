#include "fuzz/identify/values/value_conditions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <set>

#include "fuzz/identify/values/condition_list.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The wrong and the right results for which the condition holds, and those for which it does not.
struct Counts {
  std::size_t wrong_in = 0, wrong_out = 0, right_in = 0, right_out = 0;
};

Counts count(const std::vector<JudgedResult>& results, const Condition& condition) {
  Counts counts;
  for (const JudgedResult& each : results) {
    const bool holds = condition.holds(each);
    if (each.is_wrong)
      ++(holds ? counts.wrong_in : counts.wrong_out);
    else
      ++(holds ? counts.right_in : counts.right_out);
  }
  return counts;
}

/// One program has one scalar, and gives many results: some scalars more may be wrong.
bool has_enough_scalars(const std::vector<JudgedResult>& results, const Condition& condition) {
  constexpr std::size_t kEnough = 8, kEnoughAlone = 20;
  const bool alone =
      !results.empty() && row_of(results[0].program->instructions.back().op).operands.size() == 1;
  if (!alone && !condition.of.ends_with("scalar")) return true;
  std::set<std::uint64_t> right;
  for (const JudgedResult& each : results)
    if (!each.is_wrong && !condition.holds(each)) right.insert(each.program->instructions.back().scalar.bits);
  return right.size() >= (alone ? kEnoughAlone : kEnough);
}

/// A wrong computation can give a right result by chance, but not in more than one of three cases. A
/// comparison mode is named even if many of its results are right.
bool tells_apart(const Condition& condition, const Counts& counts) {
  constexpr std::size_t kEnough = 4, kEnoughRight = 20;
  if (counts.wrong_out > 0 || counts.wrong_in < kEnough || counts.right_out < kEnoughRight) return false;
  return condition.is_mode || 2 * counts.right_in <= counts.wrong_in;
}

/// One condition, or two of them: both hold, or at least one.
struct Rule {
  const Condition* first;
  const Condition* second = nullptr;
  bool is_either = false;

  bool holds(const JudgedResult& result) const {
    if (second == nullptr) return first->holds(result);
    if (is_either) return first->holds(result) || second->holds(result);
    return first->holds(result) && second->holds(result);
  }

  std::string text() const {
    if (second == nullptr) return first->text();
    const std::string joined = first->text() + (is_either ? " or " : " and ");
    const bool shorter = is_either && first->of == second->of && second->what.starts_with("is ");
    return joined + (shorter ? second->what.substr(3) : second->text());
  }
};

/// What a backend gives where a condition holds. Without `gives`: any wrong result.
struct WrongOutcome {
  std::string text;
  std::function<bool(const JudgedResult&)> gives;

  bool fits(const JudgedResult& result) const { return gives ? gives(result) : result.is_wrong; }
};

/// A search for the rule by which all results are wrong for which it holds, and no others.
class RuleSearch {
 public:
  RuleSearch(const std::vector<JudgedResult>& results, const std::vector<JudgedResult>& fresh,
             const std::vector<Condition>& conditions)
      : results_(results), fresh_(fresh), conditions_(conditions) {}

  std::optional<Rule> exact_rule(const WrongOutcome& outcome) const {
    std::vector<const Condition*> wide, narrow;  // for all wrong results; for none without this outcome
    for (const Condition& each : conditions_) {
      const bool is_wide =
          std::ranges::all_of(results_, [&](const auto& one) { return !one.is_wrong || each.holds(one); });
      const bool is_narrow = std::ranges::all_of(
          results_, [&](const auto& one) { return outcome.fits(one) || !each.holds(one); });
      if (is_wide && is_narrow && is_exact({&each}, outcome)) return Rule{&each};
      if (is_wide) wide.push_back(&each);
      if (is_narrow &&
          std::ranges::any_of(results_, [&](const auto& one) { return one.is_wrong && each.holds(one); }))
        narrow.push_back(&each);
    }
    for (const bool is_either : {false, true}) {
      const std::vector<const Condition*>& list = is_either ? narrow : wide;
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b)
          if (const Rule rule{list[a], list[b], is_either}; is_exact(rule, outcome)) return rule;
    }
    return {};
  }

 private:
  bool is_exact(const Rule& rule, const WrongOutcome& outcome) const {
    const auto follows = [&](const JudgedResult& each) {
      return rule.holds(each) ? outcome.fits(each) : !each.is_wrong;
    };
    return !fresh_.empty() && std::ranges::all_of(results_, follows) && std::ranges::all_of(fresh_, follows);
  }

  const std::vector<JudgedResult>&results_, &fresh_;
  const std::vector<Condition>& conditions_;
};

std::uint64_t old_bits(const JudgedResult& result) {
  return source_bits(*result.program, 0, result.number);
}

/// An operand with other bits: its highest one cleared or set, or all of them inverted.
void add_changed_operands(const Instruction& insn, Element type, std::vector<WrongOutcome>& all) {
  const std::uint64_t used = all_bits(type), highest = used ^ (used >> 1);
  for (const Quantity& of : numbers_of(insn)) {
    if (of.type != type) continue;
    const auto add = [&](const std::string& text, auto changed) {
      all.push_back({text, [=](const JudgedResult& each) {
                       return (each.actual & used) == (changed(of.bits(each)) & used);
                     }});
    };
    add("gives " + of.name + " with its highest bit cleared",
        [=](std::uint64_t bits) { return bits & ~highest; });
    add("gives " + of.name + " with its highest bit set", [=](std::uint64_t bits) { return bits | highest; });
    if (is_integer(type)) add("gives " + of.name + " inverted", [](std::uint64_t bits) { return ~bits; });
  }
}

/// The right result with bits that are always 0 or always 1, or an integer that is too great or too small by
/// one number.
void add_changed_results(Element type, const std::vector<JudgedResult>& results,
                         std::vector<WrongOutcome>& all) {
  const std::uint64_t used = all_bits(type);
  std::uint64_t cleared = 0, added = 0, difference = 0;
  for (const JudgedResult& each : results) {
    if (!each.is_wrong) continue;
    cleared |= each.expected & ~each.actual & used;
    added |= each.actual & ~each.expected & used;
    difference = (each.actual - each.expected) & used;
  }
  const auto add = [&](const std::string& text, auto expected) {
    all.push_back(
        {text, [=](const JudgedResult& each) { return (each.actual & used) == (expected(each) & used); }});
  };
  const auto number = [used](std::uint64_t bit) {
    return bit > used / 2 ? "the highest bit" : "bit " + std::to_string(std::countr_zero(bit));
  };
  if (std::popcount(cleared) == 1)
    add("clears " + number(cleared) + " of its result",
        [=](const JudgedResult& each) { return each.expected & ~cleared; });
  if (std::popcount(added) == 1)
    add("sets " + number(added) + " of its result",
        [=](const JudgedResult& each) { return each.expected | added; });
  if (is_float(type)) return;
  const bool less = difference > used / 2;
  const std::uint64_t size = less ? (~difference + 1) & used : difference;
  add("gives a result that is " + std::to_string(size) + (less ? " too small" : " too great"),
      [=](const JudgedResult& each) { return each.expected + difference; });
}

/// Outcomes that all wrong results have.
std::vector<WrongOutcome> outcomes_of(const std::vector<JudgedResult>& results) {
  const Instruction& insn = results.front().program->instructions.back();
  const Element type = operand_type(insn, row_of(insn.op).operands[0]);
  const auto first = std::ranges::find_if(results, &JudgedResult::is_wrong);
  std::vector<WrongOutcome> all;
  if (first == results.end()) return all;
  all.push_back({"gives " + (is_nan(type, first->actual) ? "NaN" : show_element(type, first->actual)),
                 [type, bits = first->actual](const JudgedResult& each) {
                   return same_value(type, each.actual, bits);
                 }});
  for (const Quantity& of : numbers_of(insn))
    if (of.type == type)
      all.push_back({"gives " + of.name,
                     [=](const JudgedResult& each) { return same_value(type, each.actual, of.bits(each)); }});
  if (has_result_of_each_lane(insn) && !row_of(insn.op).reads_dst)
    all.push_back({"keeps the old element of dst",
                   [=](const JudgedResult& each) { return same_value(type, each.actual, old_bits(each)); }});
  if (is_float(type))
    all.push_back({"gives the right result with the wrong sign", [=](const JudgedResult& each) {
                     const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
                     return same_value(type, each.actual, each.expected ^ sign);
                   }});
  add_changed_results(type, results, all);
  add_changed_operands(insn, type, all);
  std::erase_if(all, [&](const WrongOutcome& outcome) {
    return std::ranges::any_of(
        results, [&](const JudgedResult& each) { return each.is_wrong && !outcome.fits(each); });
  });
  return all;
}

}  // namespace

bool has_result_of_each_lane(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return !row.operands.empty() && (row.compares || row.operands[0].walk == Walk::blocks);
}

std::uint64_t source_bits(const Program& program, unsigned k, std::uint32_t number) {
  const Instruction& insn = program.instructions.back();
  const unsigned lanes = lanes_of(insn);
  const std::size_t at =
      start_of(program, insn.operands[k]) + lane_offset(insn, k, number / lanes, number % lanes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &program.ub[at], size_of(operand_type(insn, row_of(insn.op).operands[k])));
  return bits;
}

double Quantity::value(const JudgedResult& result) const {
  return value_of(type, bits(result));
}

std::vector<Quantity> numbers_of(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::vector<Quantity> numbers;
  if (has_result_of_each_lane(insn))
    for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
      if (row.operands[k].walk != Walk::blocks) continue;
      const std::string role(row.operands[k].role);
      numbers.push_back({k == 0 ? "the old element of dst" : role, k == 0 ? "old dst" : role,
                         operand_type(insn, row.operands[k]), [k](const JudgedResult& result) {
                           return source_bits(*result.program, k, result.number);
                         }});
    }
  if (takes_scalar(insn))
    numbers.push_back({"the scalar", "scalar", scalar_type(insn), [](const JudgedResult& result) {
                         return result.program->instructions.back().scalar.bits;
                       }});
  return numbers;
}

std::string text_of_signs(Element type, const std::string& of) {
  const std::string sign = is_signed(type) ? "unsigned" : "signed";
  if (of != "scalar") return "takes " + of + " as " + sign + " numbers";
  return "takes its scalar as " + std::string(is_signed(type) ? "an " : "a ") + sign + " number";
}

std::optional<std::string> conditional_outcome(const std::vector<JudgedResult>& results,
                                               const std::vector<JudgedResult>& fresh) {
  if (results.empty() || row_of(results.front().program->instructions.back().op).compares) return {};
  const std::vector<Condition> conditions = conditions_of(results);
  const std::vector<WrongOutcome> outcomes = outcomes_of(results);
  for (const WrongOutcome& outcome : outcomes)
    if (std::ranges::all_of(results, outcome.gives) && std::ranges::all_of(fresh, outcome.gives))
      return outcome.text;
  for (const WrongOutcome& outcome : outcomes)
    if (const auto rule = RuleSearch(results, fresh, conditions).exact_rule(outcome))
      return outcome.text + " if " + rule->text();
  return {};
}

std::string TellingData::text() const {
  return is_exact ? ", exactly those of them for which " + condition
                  : ", all of them results for which " + condition;
}

std::optional<TellingData> telling_data(const std::vector<JudgedResult>& results,
                                        const std::vector<JudgedResult>& fresh) {
  if (std::ranges::all_of(results, &JudgedResult::is_wrong)) return {};  // nothing tells them from right ones
  const std::vector<Condition> conditions = conditions_of(results);
  std::optional<Rule> best;
  std::optional<std::size_t> right;
  for (const Condition& each : conditions) {
    const Counts counts = count(results, each), of_fresh = count(fresh, each);
    if (!tells_apart(each, counts) || of_fresh.wrong_out > 0 || !has_enough_scalars(results, each)) continue;
    const std::size_t right_in = counts.right_in + of_fresh.right_in;
    if (right && *right <= right_in) continue;
    right = right_in;
    best = Rule{&each};
  }
  if (right != 0)
    if (const auto exact = RuleSearch(results, fresh, conditions).exact_rule({})) {
      right = 0;
      best = exact;
    }
  if (!best) return {};
  return TellingData{best->text(), *right == 0};
}

}  // namespace lanecheck
