// What the probes of reductions must know of an instruction.
#include <algorithm>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "spec/mask/footprint.h"

namespace lanecheck {

bool any_on(const Subject& subject, const MaskWords& mask, unsigned group) {
  const unsigned size = group_size(subject.insn);
  for (unsigned lane = group * size; lane < (group + 1) * size; ++lane)
    if (lane >= 128 || has_slot(mask, lane)) return true;
  return false;
}

bool has_plain_results(const Row& row) {
  return row.settings.empty() || row.results == ResultRule::indexed;
}

bool has_reduction_probes(const Row& row) {
  return row.mask == MaskUse::neutral_source && row.operands.size() == 2 &&
         row.operands[0].walk == Walk::results && has_plain_results(row);
}

bool is_extreme(const Row& row) {
  return row.neutral == Neutral::lowest || row.neutral == Neutral::highest;
}

double reduced_with(const Row& row, double result, double element) {
  if (!is_extreme(row)) return result + element;
  return row.neutral == Neutral::lowest ? std::max(result, element) : std::min(result, element);
}

std::string combines_with(const Row& row, const std::string& other) {
  if (!is_extreme(row)) return " adds to each result " + other;
  return std::string(" keeps the ") + (row.neutral == Neutral::lowest ? "greater" : "lesser") +
         " one of each result and " + other;
}

Subject with_value_alone(Subject subject) {
  constexpr std::uint32_t kOnlyValue = 2;
  if (const auto order = setting_index(row_of(subject.insn.op), "order"))
    subject.insn.settings[*order] = kOnlyValue;
  return subject;
}

}  // namespace lanecheck
