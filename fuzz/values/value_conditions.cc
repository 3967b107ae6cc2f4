#include "fuzz/values/value_conditions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "fuzz/values/value_variants.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

struct Condition {
  std::string text;
  std::function<bool(const JudgedResult&)> holds;
  bool is_mode = false;
};

bool is_subnormal(Element type, double value) {
  const double least = type == Element::f16 ? 0x1p-14 : 0x1p-126;
  return value != 0 && std::abs(value) < least;
}

/// "is negative" and so on: what can be said of one number.
void of_one(const Quantity& of, std::vector<Condition>& all) {
  const auto add = [&](const char* what, std::function<bool(double)> holds) {
    all.push_back({of.name + " is " + what, [of, holds = std::move(holds)](const JudgedResult& result) {
                     return holds(of.value(result));
                   }});
  };
  add("negative", [](double value) { return value < 0; });
  add("positive", [](double value) { return value > 0; });
  add("0", [](double value) { return value == 0; });
  if (!is_float(of.type)) return;
  add("NaN", [](double value) { return std::isnan(value); });
  add("infinite", [](double value) { return std::isinf(value); });
  add("infinite or NaN", [](double value) { return !std::isfinite(value); });
  add("subnormal", [type = of.type](double value) { return is_subnormal(type, value); });
  add("not an integer", [](double value) { return std::isfinite(value) && value != std::trunc(value); });
}

void of_two(const Quantity& a, const Quantity& b, std::vector<Condition>& all) {
  const auto add = [&](std::string text, std::function<bool(double, double)> holds) {
    all.push_back({std::move(text), [a, b, holds = std::move(holds)](const JudgedResult& result) {
                     return holds(a.value(result), b.value(result));
                   }});
  };
  add(a.name + " is equal to " + b.name, [](double x, double y) { return x == y; });
  add(a.name + " is less than " + b.name, [](double x, double y) { return x < y; });
  add(a.name + " is greater than " + b.name, [](double x, double y) { return x > y; });
  add(a.name + " and " + b.name + " have different signs",
      [](double x, double y) { return std::signbit(x) != std::signbit(y); });
  add(a.name + " or " + b.name + " is NaN",
      [](double x, double y) { return std::isnan(x) || std::isnan(y); });
}

std::vector<Condition> conditions_of(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::vector<Condition> all;
  const std::vector<Quantity> numbers = numbers_of(insn);
  for (const Quantity& each : numbers) of_one(each, all);
  for (std::size_t n = 1; n < numbers.size(); ++n) of_two(numbers[n - 1], numbers[n], all);
  if (!row.compares)
    of_one({"the documented result", "result", operand_type(insn, row.operands[0]),
            [](const JudgedResult& result) { return result.expected; }},
           all);
  if (row.compares)
    for (const Compare mode : kEveryCompare)
      all.push_back(
          {"the mode is " + mode_name(mode),
           [mode](const JudgedResult& result) { return result.program->instructions.back().compare == mode; },
           true});
  return all;
}

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

/// A wrong computation can give a right result by chance, but not in more than one of three cases. A
/// comparison mode is named even if many of its results are right.
bool tells_apart(const Condition& condition, const Counts& counts) {
  constexpr std::size_t kEnough = 4, kEnoughRight = 20;
  if (counts.wrong_out > 0 || counts.wrong_in < kEnough || counts.right_out < kEnoughRight) return false;
  return condition.is_mode || 2 * counts.right_in <= counts.wrong_in;
}

/// Two conditions that hold together for the wrong results, and for no right one.
std::optional<std::string> exact_pair(const std::vector<JudgedResult>& results,
                                      const std::vector<Condition>& conditions) {
  std::vector<const Condition*> candidates;  // they hold for all wrong results
  std::vector<std::vector<bool>> of_right;   // for which right results they hold
  for (const Condition& each : conditions) {
    const Counts counts = count(results, each);
    if (counts.wrong_out > 0 || counts.right_out == 0) continue;
    candidates.push_back(&each);
    auto& holds = of_right.emplace_back();
    for (const JudgedResult& result : results)
      if (!result.is_wrong) holds.push_back(each.holds(result));
  }
  for (std::size_t a = 0; a < candidates.size(); ++a)
    for (std::size_t b = a + 1; b < candidates.size(); ++b) {
      const auto holds_both = [&](std::size_t n) { return of_right[a][n] && of_right[b][n]; };
      bool any = false;
      for (std::size_t n = 0; n < of_right[a].size() && !any; ++n) any = holds_both(n);
      if (!any) return candidates[a]->text + " and " + candidates[b]->text;
    }
  return {};
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

std::string condition_of(const std::vector<JudgedResult>& results) {
  if (results.empty()) return {};
  const std::vector<Condition> conditions = conditions_of(results.front().program->instructions.back());
  std::string best;
  std::optional<std::size_t> right;
  for (const Condition& each : conditions) {
    const Counts counts = count(results, each);
    if (!tells_apart(each, counts) || (right && *right <= counts.right_in)) continue;
    right = counts.right_in;
    best = each.text;
  }
  if (right != 0)
    if (const auto both = exact_pair(results, conditions)) {
      right = 0;
      best = *both;
    }
  if (!right) return {};
  return *right == 0 ? ", in all results for which " + best + ", and in no others"
                     : ", all of them results for which " + best;
}

}  // namespace lanecheck
