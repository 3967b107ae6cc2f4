#include "oracle/execute/machine.h"

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

Semantics::Semantics() : Semantics(Readings{}) {}

Semantics::Semantics(const Readings& chosen) : readings(chosen) {
  const bool keeps = readings.empty_reduction == EmptyReduction::keeps_dst;
  for (const Row& row : instruction_table()) {
    const auto op = static_cast<std::size_t>(row.op);
    use[op] = row.mask;
    neutral[op] = row.neutral;
    empty[op] = keeps ? EmptyResult::keeps_dst : EmptyResult::writes;
    if (row.form == Form::reduce_pair)
      empty[op] = readings.empty_pair == EmptyPair::keeps_dst ? EmptyResult::keeps_dst : EmptyResult::writes;
    if (row.form == Form::cast && readings.cast_mask == CastMask::ignores_mask) use[op] = MaskUse::ignores;
    if ((row.form == Form::select && readings.select_mask == MaskUseReading::gates) ||
        (row.form == Form::gather && readings.gather_uses_mask == MaskUseReading::gates))
      use[op] = MaskUse::gates_writeback;
  }
}

bool Semantics::reads_arithmetic() const {
  const Readings& r = readings;
  return r.half_overflow != HalfOverflow{} || r.half_scalar != HalfScalar{} ||
         r.integer_overflow != IntegerOverflow{} || r.multiply_add != MultiplyAdd{} ||
         r.subnormals != Subnormals{} || r.shift_left_sign != ShiftLeftSign{};
}

}  // namespace lanecheck
