// Reductions: a masked-off source element reads as the neutral element (VMC 3.2, 3.3). Semantics::empty says
// whether a result without active lanes is written.
#include "oracle/execute/half_lanes.h"
#include "oracle/execute/kernel.h"
#include "oracle/execute/lane.h"
#include "oracle/execute/repeat.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// An integer has no infinity: the limit of the type is what acts like one.
template <class T>
T neutral_value(Neutral neutral) {
  using Limits = std::numeric_limits<std::conditional_t<is_half_width_float<T>, float, T>>;
  if (neutral == Neutral::zero || neutral == Neutral::none) return T{};
  if constexpr (is_float_v<T>) {
    return rounded_to<T>(neutral == Neutral::lowest ? -Limits::infinity() : Limits::infinity());
  } else {
    return neutral == Neutral::lowest ? Limits::min() : Limits::max();
  }
}

/// Folds every `group` of the `lanes` values, a power of two: neighbours first, level by level, each result
/// rounded to T. Readings sum_order=any and =pairwise.
template <class Lane, class T, class Policy>
void fold_pairwise(Lanes<T>& values, unsigned lanes, unsigned group, const Policy& policy) {
  WideLanes<T, Policy> wide, folded;
  for (unsigned count = lanes; count > lanes / group; count /= 2) {
    widen_lanes(policy, values.data(), wide.data(), count);
    for (unsigned n = 0; n < count / 2; ++n) folded[n] = Lane{}(wide[2 * n], wide[2 * n + 1]);
    narrow_lanes(policy, folded.data(), values.data(), count / 2);
  }
}

/// The first of `count` values that no other exceeds (or is less than). It is one of the values, so that
/// nothing is rounded.
template <class Lane, class W>
W fold_extreme(const W* values, unsigned count) {
  W extreme = values[0];
  for (unsigned n = 1; n < count; ++n) extreme = Lane{}(extreme, values[n]);
  return extreme;
}

/// The sum from the first value to the last, each partial sum rounded to T. Reading sum_order=sequential.
template <class Lane, class T, class Policy>
T fold_in_sequence(const T* values, unsigned count, const Policy& policy) {
  T total = values[0];
  for (unsigned n = 1; n < count; ++n)
    total = policy.template narrow<T>(Lane{}(policy.widen(total), policy.widen(values[n])));
  return total;
}

/// The sum in a wider type, rounded once. Reading sum_order=wide, which speaks of f32 and f64, not of
/// integers.
template <class T, class Policy>
T fold_wide(const T* values, unsigned count, const Policy& policy) {
  using W = std::conditional_t<std::is_same_v<T, float>, double, typename Policy::template Wide<T>>;
  W total{};
  for (unsigned n = 0; n < count; ++n) total = sum(total, static_cast<W>(policy.widen(values[n])));
  return policy.template narrow<T>(static_cast<typename Policy::template Wide<T>>(total));
}

/// Folds every `group` of the `lanes` values. Result k then stands in values[k].
template <class Lane, class T, class Policy>
void fold(Lanes<T>& values, unsigned lanes, unsigned group, const Policy& policy, SumOrder order) {
  const unsigned results = lanes / group;
  if constexpr (!std::is_same_v<Lane, lane::Plus>) {
    WideLanes<T, Policy> wide;
    widen_lanes(policy, values.data(), wide.data(), wide.size());
    for (unsigned k = 0; k < results; ++k)
      values[k] = policy.template narrow<T>(fold_extreme<Lane>(&wide[k * group], group));
    return;
  } else if (order == SumOrder::sequential) {
    for (unsigned k = 0; k < results; ++k)
      values[k] = fold_in_sequence<Lane>(&values[k * group], group, policy);
    return;
  } else if (is_float_v<T> && order == SumOrder::wide) {
    for (unsigned k = 0; k < results; ++k) values[k] = fold_wide(&values[k * group], group, policy);
    return;
  }
  fold_pairwise<Lane>(values, lanes, group, policy);
}

/// `group` consecutive lanes make one result.
template <class Lane, class T, class Policy>
void reduce(Machine& m, const Instruction& insn, unsigned group) {
  const auto policy = policy_of<Policy>(m);
  const auto op = static_cast<std::size_t>(insn.op);
  const unsigned lanes = lanes_of(insn);
  const unsigned results = lanes / group;
  const T neutral = neutral_value<T>(m.semantics.neutral[op]);
  const bool neutralises = m.use_of(insn) == MaskUse::neutral_source;
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    const std::uint8_t* slots = neutralises ? m.slots(insn, repeat) : kNoGate.data();
    const std::uint8_t* write_gate = m.write_gate(insn, repeat);
    Lanes<T> values;
    read_repeat(src, insn.operands[1], repeat, lanes, values.data());
    for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = slots[lane] != 0 ? values[lane] : neutral;
    fold<Lane>(values, lanes, group, policy, m.semantics.readings.sum_order);
    std::byte* place = dst + std::size_t{repeat} * insn.operands[0].repeat_stride * results * sizeof(T);
    for (unsigned k = 0; k < results; ++k) {
      const bool any =
          std::any_of(slots + k * group, slots + (k + 1) * group, [](auto slot) { return slot != 0; });
      const bool written = write_gate[k] != 0 && (any || m.semantics.empty[op] == EmptyResult::writes);
      if (written) store(place + k * sizeof(T), values[k]);
    }
  }
}

/// The extreme of a repeat and the lane of its first active holder (asc-devkit, ReduceRepeat), in the order
/// VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX. The index is an integer's bits in a slot as wide as the
/// value; alone it is a u32.
template <class Lane, class T, class Policy>
void reduce_extreme(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  const auto op = static_cast<std::size_t>(insn.op);
  const unsigned lanes = lanes_of(insn), order = setting(insn, "order");
  const T neutral = neutral_value<T>(m.semantics.neutral[op]);
  std::byte* src = m.at(insn.operands[1]);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    const std::uint8_t* slots = m.use_of(insn) == MaskUse::ignores ? kNoGate.data() : m.slots(insn, repeat);
    Lanes<T> values;
    read_repeat(src, insn.operands[1], repeat, lanes, values.data());
    for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = slots[lane] != 0 ? values[lane] : neutral;
    Lanes<T> folded = values;
    fold<Lane>(folded, lanes, lanes, policy, SumOrder::any);
    const T extreme = folded[0];
    const auto seen = [&](T value) { return widened(policy.template narrow<T>(policy.widen(value))); };
    unsigned index =
        0;  // of the extreme as the operation sees the sources (readings subnormals, half_overflow)
    while (index < lanes && (slots[index] == 0 || seen(values[index]) != seen(extreme))) ++index;
    if (std::none_of(slots, slots + lanes, [](auto slot) { return slot != 0; }) &&
        m.semantics.empty[op] == EmptyResult::keeps_dst)
      continue;
    std::byte* place = m.at(insn.operands[0]) + repeat * repeat_step(insn, 0);
    const unsigned size = sizeof(T);
    if (order != 3) store(place + (order == 1 ? size : 0), extreme);
    if (order == 3) store(place, static_cast<std::uint32_t>(index));
    if (order < 2)
      std::memcpy(place + (order == 0 ? size : 0), &index, size);  // little-endian: the low bytes
  }
}

/// How many consecutive lanes make one result.
unsigned whole_repeat(const Instruction& insn) {
  return lanes_of(insn);
}
unsigned data_block(const Instruction& insn) {
  return per_block(insn.src_type);
}
unsigned pair(const Instruction&) {
  return 2;
}

template <auto Group, class Lane, class Policy>
void reduction_kernel(Machine& m, const Instruction& insn) {
  with_type_in(Numeric{}, insn, insn.dst_type,
               [&]<class T>(T) { reduce<Lane, T, Policy>(m, insn, Group(insn)); });
}
template <class Lane, class Policy>
void extreme_kernel(Machine& m, const Instruction& insn) {
  with_type_in(HalfAndFloat{}, insn, insn.dst_type,
               [&]<class T>(T) { reduce_extreme<Lane, T, Policy>(m, insn); });
}

template <auto Group, class Lane>
constexpr KernelRow reduction(Op op, Lane) {
  return {op, reduction_kernel<Group, Lane, DefaultReadings>, reduction_kernel<Group, Lane, UnderReadings>};
}
template <class Lane>
constexpr KernelRow extreme(Op op, Lane) {
  return {op, extreme_kernel<Lane, DefaultReadings>, extreme_kernel<Lane, UnderReadings>};
}

constexpr KernelRow kReductionKernels[] = {
    reduction<whole_repeat>(Op::cadd, lane::plus),   reduction<data_block>(Op::cgadd, lane::plus),
    reduction<pair>(Op::cpadd, lane::plus),          reduction<whole_repeat>(Op::cmax, lane::greater),
    reduction<data_block>(Op::cgmax, lane::greater), reduction<whole_repeat>(Op::cmin, lane::lesser),
    reduction<data_block>(Op::cgmin, lane::lesser),  extreme(Op::cmax_index, lane::greater),
    extreme(Op::cmin_index, lane::lesser),
};

}  // namespace

std::span<const KernelRow> reduction_kernels() {
  return kReductionKernels;
}

}  // namespace lanecheck
