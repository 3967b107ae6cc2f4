#include "fuzz/identify/places/move_walks.h"

#include "fuzz/identify/places/measured_strides.h"
#include "fuzz/identify/places/partial_strides.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The lane of its group that a result of a reduction reads by the documents. Other lanes may share its
/// place.
std::optional<Lane> lane_of_result(const MoveComparison& all, const Item& item) {
  const Instruction& insn = all.insn();
  const std::uint64_t size = size_of(insn.src_type);
  for (unsigned n = 0; n < group_size(insn); ++n) {
    const Lane lane{item.at.repeat, item.at.lane * group_size(insn) + n};
    const std::uint64_t place = lane_offset(insn, all.operand, lane.repeat, lane.lane) / size;
    if (static_cast<std::int64_t>(place) == item.expected) return lane;
  }
  return {};
}

/// Where the lanes of a source were found. A result of a reduction reads the lane of its group that is on,
/// and padding another lane.
std::vector<Found> found_of_source(const MoveComparison& all) {
  const Row& row = row_of(all.insn().op);
  const Walk walk = row.operands[all.operand].walk;
  const bool reduces = row.mask == MaskUse::neutral_source;
  const bool reads_others = row.whole_blocks || walk == Walk::elements;
  const auto lanes = lanes_of_operand(all.insn(), all.operand);
  std::vector<Found> found;
  for (const Item& item : all.items) {
    if (item.actual <= kAlwaysZero) continue;
    Lane reads = item.at;
    if (reduces) {
      const auto lane = lane_of_result(all, item);
      if (!lane) continue;
      reads = *lane;
    } else if (reads_others) {
      const auto at = lanes.find(item.expected);
      if (at == lanes.end()) continue;
      reads = at->second;
    }
    found.push_back({reads.repeat, reads.lane, item.actual});
  }
  return found;
}

}  // namespace

std::optional<Difference> by_strides(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::blocks && walk != Walk::rows) return {};
  const auto strides = measured_strides(all.insn(), all.operand, found_of_source(all));
  if (!strides) return {};
  Difference difference{all.map(), all.role + " of " + all.name() + " " + strides->text, {}};
  difference.places = strides->law;
  return difference;
}

std::optional<Difference> by_partial_strides(const MoveComparison& all) {
  const Walk walk = row_of(all.insn().op).operands[all.operand].walk;
  if (walk != Walk::blocks && walk != Walk::rows && walk != Walk::elements) return {};
  return partial_strides(all.insn(), all.operand, found_of_source(all));
}

std::optional<Difference> by_modulo(const MoveComparison& all) {
  constexpr unsigned kMostBytes = 1U << 16;
  const OperandColumn& column = row_of(all.insn().op).operands[all.operand];
  if (column.walk == Walk::indexed) return {};
  const Element type = operand_type(all.insn(), column);
  for (unsigned bytes = kBlockBytes; bytes <= kMostBytes; bytes *= 2) {
    const auto places =
        static_cast<std::int32_t>(column.walk == Walk::bits ? 8 * bytes : bytes / size_of(type));
    const bool holds = std::ranges::all_of(all.items, [&](const Item& i) {
      return i.expected > kAlwaysZero && i.actual == i.expected % places;
    });
    const auto of_repeat = static_cast<std::int32_t>(kRepeatBlocks);  // brcb takes an element for each block
    if (holds && column.walk == Walk::elements && places % of_repeat == 0) {
      const std::string repeats = std::to_string(places / of_repeat);
      return Difference{
          all.map(),
          "repeat R of " + all.name() + " takes the elements of repeat R mod " + repeats + " of " + all.role,
          {}};
    }
    if (holds)
      return Difference{all.map(),
                        all.name() + " reads " + all.role + " modulo " +
                            (bytes == kBlockBytes ? "one data block" : std::to_string(bytes) + " bytes") +
                            ": behind them it starts again at the first ones",
                        {}};
  }
  return {};
}

}  // namespace lanecheck
