#include "fuzz/identify/unit_of_stride.h"

#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/identify/places/move_differences.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// How many bytes one repeat stride of dst is. Several strides must show the same: such that no results meet.
std::optional<std::int64_t> bytes_of_stride(const Subject& subject, MaskWords mask, const Ask& ask) {
  std::optional<std::int64_t> unit;
  for (const std::uint32_t stride : {std::max(subject.insn.operands[0].repeat_stride, 3U), 4U, 5U}) {
    Subject other = subject;
    other.insn.operands[0].repeat_stride = stride;
    const auto bytes = wrong_bytes_between_repeats(other, measure_moves(other, mask, ask),
                                                   measure_moves(other, mask, ask_oracle()));
    if (!bytes || stride == 0 || *bytes % stride != 0 || unit.value_or(*bytes / stride) != *bytes / stride)
      return {};
    unit = *bytes / stride;
  }
  return unit;
}

}  // namespace

void name_unit_of_stride(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (difference.map != MapKind::dst || row.operands[0].walk != Walk::results || !has_move_probes(row))
    return;
  const auto unit = bytes_of_stride(subject, mask, ask);
  if (unit.value_or(0) <= 0) return;
  Instruction next = subject.insn;
  next.operands[0].repeat_stride = 1;
  const std::int64_t own = static_cast<std::int64_t>(repeat_step(next, 0));
  const bool in_elements = *unit == std::int64_t{size_of(subject.insn.dst_type)};
  const bool in_blocks = *unit == std::int64_t{kBlockBytes} && own != *unit;
  const bool is_more = *unit > own && *unit % own == 0, is_less = *unit < own && own % *unit == 0;
  if (!in_elements && !is_more && !is_less) return;
  const auto times = is_more ? std::to_string(*unit / own) + " times" : "1/" + std::to_string(own / *unit);
  const std::string bytes = std::to_string(own) + " bytes", counts(kCountsStride);
  std::string what = "units of " + std::to_string(*unit) + " bytes instead of " + std::to_string(own) + " (" +
                     times + " as much)";
  if (in_elements || in_blocks)
    what =
        (in_elements ? "elements" : "data blocks of 32 bytes") + std::string(" instead of units of ") + bytes;
  difference = {MapKind::dst, mnemonic(next) + " " + counts + what, {}};
  difference.general =  // the unit hangs on the type
      counts + (in_elements ? "elements"
                : in_blocks ? "data blocks"
                            : times + " its unit");
  difference.of_all_shapes = true;
}

}  // namespace lanecheck
