#include "fuzz/identify/values/condition_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/values/value_formula.h"
#include "fuzz/identify/values/value_variants.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

bool is_subnormal(Element type, double value) {
  const double least = type == Element::f16 ? 0x1p-14 : 0x1p-126;
  return value != 0 && std::abs(value) < least;
}

/// The list, while it is made.
struct List {
  const std::vector<JudgedResult>& results;
  std::vector<Condition> all;

  void of_number(const Quantity& of, std::string what, std::function<bool(double)> holds) {
    all.push_back({of.name, std::move(what), [of, holds = std::move(holds)](const JudgedResult& result) {
                     return holds(of.value(result));
                   }});
  }
};

/// The numbers of all wrong results lie on one side of a power of two, and some others do not.
void add_limits(const Quantity& of, List& list) {
  double least = std::numeric_limits<double>::infinity(), greatest = 0;
  for (const JudgedResult& each : list.results) {
    const double size = std::abs(of.value(each));
    if (!each.is_wrong || std::isnan(size)) continue;
    least = std::min(least, size);
    greatest = std::max(greatest, size);
  }
  if (std::isfinite(least) && least > 0) {
    const int power = std::ilogb(least);
    list.of_number(of, "has a magnitude of at least 2^" + std::to_string(power),
                   [limit = std::ldexp(1, power)](double value) { return std::abs(value) >= limit; });
  }
  if (std::isfinite(greatest) && greatest > 0) {
    const int power = std::ilogb(greatest) + 1;
    list.of_number(of, "has a magnitude below 2^" + std::to_string(power),
                   [limit = std::ldexp(1, power)](double value) { return std::abs(value) < limit; });
  }
}

void of_integer(const Quantity& of, List& list) {
  list.of_number(of, "is odd", [](double value) { return std::fmod(value, 2) != 0; });
  list.of_number(of, "is even", [](double value) { return std::fmod(value, 2) == 0; });
  for (const bool lowest : {true, false}) {
    const double limit = value_of(of.type, nearest(of.type, lowest ? -1e30 : 1e30));
    list.of_number(of, lowest ? "is the least value of its type" : "is the greatest value of its type",
                   [limit](double value) { return value == limit; });
  }
}

void of_float(const Quantity& of, List& list) {
  const auto add = [&](const char* what, std::function<bool(double)> holds) {
    list.of_number(of, what, std::move(holds));
  };
  add("is NaN", [](double value) { return std::isnan(value); });
  add("is infinite", [](double value) { return std::isinf(value); });
  add("is +infinity", [](double value) { return std::isinf(value) && value > 0; });
  add("is -infinity", [](double value) { return std::isinf(value) && value < 0; });
  add("is finite", [](double value) { return std::isfinite(value); });
  add("is infinite or NaN", [](double value) { return !std::isfinite(value); });
  add("is subnormal", [type = of.type](double value) { return is_subnormal(type, value); });
  add("is -0", [](double value) { return value == 0 && std::signbit(value); });
  add("is +0", [](double value) { return value == 0 && !std::signbit(value); });
  add("is not an integer", [](double value) { return std::isfinite(value) && value != std::trunc(value); });
}

/// "is negative" and so on: what can be said of one number.
void of_one(const Quantity& of, List& list) {
  list.of_number(of, "is negative", [](double value) { return value < 0; });
  list.of_number(of, "is positive", [](double value) { return value > 0; });
  list.of_number(of, "is 0", [](double value) { return value == 0; });
  list.of_number(of, "is not 0", [](double value) { return value != 0; });
  if (is_float(of.type))
    of_float(of, list);
  else
    of_integer(of, list);
}

void of_two(const Quantity& a, const Quantity& b, List& list) {
  const auto add = [&](std::string what, std::function<bool(double, double)> holds) {
    list.all.push_back(
        {a.name, std::move(what), [a, b, holds = std::move(holds)](const JudgedResult& result) {
           return holds(a.value(result), b.value(result));
         }});
  };
  add("is equal to " + b.name, [](double x, double y) { return x == y; });
  add("is less than " + b.name, [](double x, double y) { return x < y; });
  add("is greater than " + b.name, [](double x, double y) { return x > y; });
  add("and " + b.name + " have different signs",
      [](double x, double y) { return std::signbit(x) != std::signbit(y); });
  add("and " + b.name + " have the same sign",
      [](double x, double y) { return std::signbit(x) == std::signbit(y); });
  add("or " + b.name + " is NaN", [](double x, double y) { return std::isnan(x) || std::isnan(y); });
  add("or " + b.name + " is infinite", [](double x, double y) { return std::isinf(x) || std::isinf(y); });
}

/// "the lane is one of 64..127", if not all of them have wrong results.
void of_place(const std::string& name, unsigned count, List& list,
              std::function<unsigned(const JudgedResult&)> place) {
  std::vector<bool> is_wrong(count);
  for (const JudgedResult& each : list.results)
    if (each.is_wrong) is_wrong[place(each)] = true;
  std::vector<unsigned> wrong;
  for (unsigned n = 0; n < count; ++n)
    if (is_wrong[n]) wrong.push_back(n);
  if (wrong.empty() || 2 * wrong.size() > count + 1) return;
  list.all.push_back({"the " + name, (wrong.size() == 1 ? "is " : "is one of ") + intervals(wrong),
                      [=](const JudgedResult& result) { return is_wrong[place(result)]; }});
}

}  // namespace

std::vector<Condition> conditions_of(const std::vector<JudgedResult>& results) {
  const Instruction& insn = results.front().program->instructions.back();
  const Row& row = row_of(insn.op);
  List list{results, {}};
  const std::vector<Quantity> numbers = numbers_of(insn);
  for (const Quantity& each : numbers) of_one(each, list);
  for (std::size_t n = 1; n < numbers.size(); ++n) of_two(numbers[n - 1], numbers[n], list);
  if (auto unfit = too_large_a_result(results)) list.all.push_back(std::move(*unfit));
  const Quantity documented{"the documented result", "result", operand_type(insn, row.operands[0]),
                            [](const JudgedResult& result) { return result.expected; }};
  if (!row.compares) of_one(documented, list);
  const unsigned in_repeat = has_result_of_each_lane(insn) ? lanes_of(insn) : results_per_repeat(insn);
  const std::string place = has_result_of_each_lane(insn) ? "lane" : "number of the result in its repeat";
  of_place(place, in_repeat, list, [=](const JudgedResult& result) { return result.number % in_repeat; });
  if (const unsigned in_block = per_block(insn.dst_type); has_result_of_each_lane(insn))
    of_place("lane in its data block", in_block, list,
             [=](const JudgedResult& result) { return result.number % in_block; });
  of_place("repeat", insn.repeat, list,
           [=](const JudgedResult& result) { return result.number / in_repeat; });
  for (const Quantity& each : numbers) add_limits(each, list);
  if (!row.compares) add_limits(documented, list);
  if (row.compares)
    for (const Compare mode : kEveryCompare)
      list.all.push_back(
          {"the mode", "is " + mode_name(mode),
           [mode](const JudgedResult& result) { return result.program->instructions.back().compare == mode; },
           true});
  return std::move(list.all);
}

}  // namespace lanecheck
