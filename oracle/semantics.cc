#include "oracle/machine.h"

namespace lanecheck {
namespace {

// readings mask_after_*: one function for each combination, so that a Semantics stays plain data.
template <bool Select, bool Brcb, bool Gather>
void leave_full(Machine& machine, const Instruction& i) {
  const Form form = row_of(i.op).form;
  if ((Select && form == Form::select) || (Brcb && form == Form::brcb) ||
      (Gather && (form == Form::gather || form == Form::scatter)))
    machine.mask = kFullMask;
}

constexpr void (*kLeaveFull[8])(Machine&, const Instruction&) = {
    nullptr,
    leave_full<true, false, false>,
    leave_full<false, true, false>,
    leave_full<true, true, false>,
    leave_full<false, false, true>,
    leave_full<true, false, true>,
    leave_full<false, true, true>,
    leave_full<true, true, true>,
};

}  // namespace

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
  }
  const auto all_ones = [](MaskAfter choice) { return choice == MaskAfter::all_ones; };
  after = kLeaveFull[(all_ones(readings.mask_after_select) ? 1 : 0) +
                     (all_ones(readings.mask_after_brcb) ? 2 : 0) +
                     (all_ones(readings.mask_after_gather) ? 4 : 0)];
}

bool Semantics::reads_arithmetic() const {
  const Readings& r = readings;
  return r.half_overflow != HalfOverflow{} || r.half_scalar != HalfScalar{} ||
         r.integer_overflow != IntegerOverflow{} || r.multiply_add != MultiplyAdd{} ||
         r.subnormals != Subnormals{};
}

}  // namespace lanecheck
