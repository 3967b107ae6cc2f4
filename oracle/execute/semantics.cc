#include "oracle/execute/semantics.h"

namespace lanecheck {

unsigned pad_from(unsigned mode, unsigned side, unsigned lane, unsigned per) {
  const unsigned edge = side == 0 ? 0 : per - 1;
  if (mode == 0) return edge;
  if (mode == 1) return per - 1 - lane;
  if (side == 0) return lane == 0 ? per : per - lane;  // the first element is discarded
  return lane == per - 1 ? per : per - 2 - lane;       // the last element is discarded
}

bool pattern_keeps(unsigned pattern, std::uint64_t, std::uint64_t e, std::uint64_t) {
  if (pattern <= 2) return e % 2 == pattern - 1;
  return pattern == 7 || e % 4 == pattern - 3;
}

unsigned counted(std::uint64_t total, std::uint64_t repeat, unsigned lanes) {
  const std::uint64_t before = repeat * lanes;
  return total <= before ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(total - before, lanes));
}

Semantics::Semantics() : Semantics(Readings{}) {}

Semantics::Semantics(const Readings& chosen)
    : readings(chosen), departs_in_arithmetic(differ_in(Decides::lane_arithmetic, chosen, Readings{})) {
  const auto keeps = [](bool keeps_dst) { return keeps_dst ? EmptyResult::keeps_dst : EmptyResult::writes; };
  const auto of = [](auto& by_op, Op op) -> auto& {
    return by_op[static_cast<std::size_t>(op)];
  };
  for (const Row& row : instruction_table()) {
    of(use, row.op) = row.mask;
    of(neutral, row.op) = row.neutral;
  }
  empty.fill(keeps(readings.empty_extreme == EmptyReduction::keeps_dst));
  of(empty, Op::cadd) = of(empty, Op::cgadd) = keeps(readings.empty_reduction == EmptyReduction::keeps_dst);
  of(empty, Op::cpadd) = keeps(readings.empty_pair == EmptyPair::keeps_dst);
  if (readings.control_bits == BitOrder::highest_first)
    seams.control = seams.result_bits = BitLayout::highest_first;
  if (readings.pattern_bits == BitOrder::highest_first) seams.gather_mask.bits = BitLayout::highest_first;
  if (readings.cast_mask == CastMask::ignores_mask) of(use, Op::cast) = MaskUse::ignores;
  if (readings.select_mask == MaskUseReading::gates) of(use, Op::select) = MaskUse::gates_writeback;
  if (readings.gather_uses_mask == MaskUseReading::gates) of(use, Op::gather) = MaskUse::gates_writeback;
}

}  // namespace lanecheck
