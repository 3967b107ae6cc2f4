#include "fuzz/identify/values/limited_operand.h"

#include <algorithm>
#include <cmath>

#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A number of src, and what became of it.
struct Limited {
  double src, result;
};

/// `min(max(src, 1), 5)`, or nothing if the results are no limits of src, or all are the same.
std::optional<std::string> limits_of(const std::vector<Limited>& numbers, Element type,
                                     const std::string& src) {
  const auto [least, greatest] = std::ranges::minmax(numbers, {}, &Limited::result);
  const double low = least.result, high = greatest.result;
  if (!(low < high)) return {};
  bool from_below = false, from_above = false;
  for (const Limited& each : numbers) {
    if (each.result != std::clamp(each.src, low, high)) return {};
    from_below = from_below || each.src < low;
    from_above = from_above || each.src > high;
  }
  std::string text = src;
  if (from_below) text = "max(" + text + ", " + show_element(type, nearest(type, low)) + ")";
  if (from_above) text = "min(" + text + ", " + show_element(type, nearest(type, high)) + ")";
  return text;
}

}  // namespace

std::optional<ResultsLaw> limited_operand(const std::vector<JudgedResult>& results) {
  if (results.empty()) return {};
  const Instruction& insn = results.front().program->instructions.back();
  const Row& row = row_of(insn.op);
  if (!has_result_of_each_lane(insn) || row.compares || row.rounds || size_of(insn.dst_type) == 8) return {};
  const std::vector<Quantity> operands = numbers_of(insn);
  if (operands.size() != 1 || operands[0].type != insn.dst_type) return {};
  const Element type = insn.dst_type;
  std::vector<Limited> is, should;
  for (const JudgedResult& result : results) {
    const double src = value_of(type, operands[0].bits(result) & all_bits(type));
    if (std::isnan(src)) continue;  // no document says what becomes of NaN
    is.push_back({src, value_of(type, result.actual)});
    should.push_back({src, value_of(type, result.expected)});
  }
  if (is.empty()) return {};
  const auto actual = limits_of(is, type, operands[0].short_name);
  const auto documented = limits_of(should, type, operands[0].short_name);
  if (!actual || !documented || actual == documented) return {};
  return ResultsLaw{"computes " + *actual + " instead of " + *documented};
}

}  // namespace lanecheck
