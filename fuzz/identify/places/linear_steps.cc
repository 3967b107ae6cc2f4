#include "fuzz/identify/places/linear_steps.h"

#include <algorithm>

namespace lanecheck {
namespace {

/// The step of the number from one item to another that differs in `by` alone.
std::optional<std::int64_t> step_of(const std::vector<StepItem>& items, std::int64_t StepItem::*by,
                                    std::int64_t StepItem::*same) {
  for (const StepItem& a : items)
    for (const StepItem& b : items) {
      if (a.*same != b.*same || a.*by >= b.*by) continue;
      const std::int64_t distance = b.number - a.number, apart = b.*by - a.*by;
      return distance % apart == 0 && distance >= 0 ? std::optional(distance / apart) : std::nullopt;
    }
  return {};
}

void add_term(std::string& text, std::int64_t factor, const std::string& name) {
  if (factor == 0) return;
  text += (text.empty() ? "" : " + ") + (factor == 1 ? "" : std::to_string(factor) + " * ") + name;
}

}  // namespace

std::optional<std::string> linear_steps(const std::vector<StepItem>& items, const std::string& place) {
  const auto by_repeat = step_of(items, &StepItem::repeat, &StepItem::place),
             by_place = step_of(items, &StepItem::place, &StepItem::repeat);
  if (!by_repeat || !by_place) return {};
  const std::int64_t start = items[0].number - *by_repeat * items[0].repeat - *by_place * items[0].place;
  if (start < 0 || !std::ranges::all_of(items, [&](const StepItem& each) {
        return each.number == *by_repeat * each.repeat + *by_place * each.place + start;
      }))
    return {};
  std::string text;
  add_term(text, *by_repeat, "R");
  add_term(text, *by_place, place);
  if (start > 0 || text.empty()) text += (text.empty() ? "" : " + ") + std::to_string(start);
  return text;
}

std::string with_named_stride(const Instruction& insn, std::string steps, std::string& behind) {
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const std::uint32_t stride = insn.operands[k].repeat_stride;
    const std::string step = std::to_string(stride);
    if (stride < 2 || stride == kRepeatBlocks || !steps.starts_with(step + " * R")) continue;
    behind = std::string(kWhereStrideIs) + std::string(row_of(insn.op).operands[k].role);
    return steps.replace(0, step.size(), "S");
  }
  return steps;
}

}  // namespace lanecheck
