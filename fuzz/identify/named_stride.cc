#include "fuzz/identify/named_stride.h"

#include <algorithm>
#include <string>

#include "fuzz/identify/places/linear_steps.h"
#include "fuzz/identify/places/places_of_subject.h"

namespace lanecheck {

void confirm_named_stride(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask) {
  const std::size_t behind = difference.what.find(kWhereStrideIs);
  if (behind == std::string::npos) return;
  const auto columns = row_of(subject.insn.op).operands;
  const auto own =
      std::ranges::find(columns, std::string_view(difference.what).substr(behind + kWhereStrideIs.size()),
                        &OperandColumn::role);
  if (own == columns.end()) return;
  const auto k = static_cast<std::size_t>(own - columns.begin());
  Subject other = subject;
  other.insn.operands[k].repeat_stride += 2;
  const auto seen = differences_in_places(other, mask, ask);
  if (seen.size() == 1 && seen[0].what == difference.what) return;
  difference.what.resize(behind);
  const std::size_t at = difference.what.find("S * R");
  difference.what.replace(at, 1, std::to_string(subject.insn.operands[k].repeat_stride));
}

}  // namespace lanecheck
