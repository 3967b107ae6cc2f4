// cadd, cgadd, cpadd, cmax, cgmax, cmin, cgmin. A repeat is a tree over adjacent lanes: one level yields the
// pairs (cpadd), further ones the sums of the eight data blocks (cg...), the last the whole repeat (c...).
#include <limits>

#include "fuzz/simulator/arithmetic.h"
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

/// Joins neighbours, level by level, until `Results` values are left.
template <std::size_t Results, class C, std::size_t N, class F>
std::array<C, Results> pairwise(const std::array<C, N>& values, F f) {
  if constexpr (N == Results) {
    return values;
  } else {
    std::array<C, N / 2> joined;
    for (std::size_t k = 0; k < N / 2; ++k) joined[k] = f(values[2 * k], values[2 * k + 1]);
    return pairwise<Results>(joined, f);
  }
}

/// Which results have an active lane: the others keep their old dst (VMC 3.2, 3.3).
template <std::size_t Results, std::size_t P>
std::array<std::uint8_t, Results> active_results(const Mask& mask) {
  std::array<std::uint8_t, P> slots;
  std::copy_n(mask.begin(), P, slots.begin());
  return pairwise<Results>(slots, kOr);
}

/// How one kind of reduction works: `neutral` is what a masked-off element reads as, `begin` what the
/// tree takes for a single element, `join` what it makes of two.
template <class T, class Begin, class Join>
struct Reduction {
  Stored<T> neutral;
  Begin begin;
  Join join;
};

template <class T, std::size_t Results, class Begin, class Join>
void reduce_to(const Machine& machine, const Instruction& insn, const Reduction<T, Begin, Join>& reduction,
               const std::array<std::uint8_t, Results>& written) {
  constexpr std::size_t P = kLanes<T>;
  const Strided<T> src = machine.strided<T>(insn, 1);
  const Gate<T, P> gate = machine.gate<T, P>();
  Lanes<T, P> neutrals;
  neutrals.fill(reduction.neutral);
  std::byte* dst = machine.start_of(insn.operands[0]);
  const std::size_t step = insn.operands[0].repeat_stride * Results * sizeof(T);
  for (unsigned r = 0; r < insn.repeat; ++r, dst += step) {
    const Lanes<T, P> lanes = blend<T, P>(gate, src.template read<P>(r), neutrals);
    const auto values = map_lanes(reduction.begin, widen_lanes<T>(lanes));
    const Lanes<T, Results> results = narrow_lanes<T>(pairwise<Results>(values, reduction.join));
    for (std::size_t k = 0; k < Results; ++k)
      if (written[k] != 0) store(dst + k * sizeof(T), results[k]);
  }
}

template <class T, class Begin, class Join>
void reduce_as(const Machine& machine, const Instruction& insn, const Reduction<T, Begin, Join>& reduction) {
  constexpr std::size_t P = kLanes<T>;
  const Mask& mask = machine.state.mask;
  switch (insn.op) {
    case Op::cadd:
    case Op::cmax:
    case Op::cmin:
      return reduce_to(machine, insn, reduction, active_results<1, P>(mask));
    case Op::cgadd:
    case Op::cgmax:
    case Op::cgmin:
      return reduce_to(machine, insn, reduction, active_results<kRepeatBlocks, P>(mask));
    case Op::cpadd: {  // a pair without an active lane is written too, 0 + 0 (VMC), or kept (Ascend C)
      if (machine.choices.keeps_empty_pairs)
        return reduce_to(machine, insn, reduction, active_results<P / 2, P>(mask));
      std::array<std::uint8_t, P / 2> all;
      all.fill(1);
      return reduce_to(machine, insn, reduction, all);
    }
    default:
      unknown(insn);
  }
}

template <class T>
void sum(const Machine& machine, const Instruction& insn) {
  const auto begin = [](Computed<T> x) { return x; };
  const auto join = [](Computed<T> a, Computed<T> b) { return rounded<T>(kPlus(a, b)); };
  reduce_as(machine, insn, Reduction<T, decltype(begin), decltype(join)>{Stored<T>{0}, begin, join});
}

/// Begins by joining with the sentinel, so a NaN, which wins no comparison, never reaches the tree.
template <class T, class Join>
void extreme(const Machine& machine, const Instruction& insn, Stored<T> sentinel, Join join) {
  const auto begin = [start = widen<T>(sentinel), join](Computed<T> x) { return join(start, x); };
  reduce_as(machine, insn, Reduction<T, decltype(begin), Join>{sentinel, begin, join});
}

/// The infinities; for integers, which have none, the limits of the type.
template <class T>
struct Sentinel {
  static constexpr Stored<T> kLowest = std::numeric_limits<T>::lowest();
  static constexpr Stored<T> kHighest = std::numeric_limits<T>::max();
};
template <>
struct Sentinel<float> {
  static constexpr float kLowest = -std::numeric_limits<float>::infinity();
  static constexpr float kHighest = std::numeric_limits<float>::infinity();
};
template <>
struct Sentinel<Half> {
  static constexpr std::uint16_t kLowest = 0xfc00;
  static constexpr std::uint16_t kHighest = 0x7c00;
};

}  // namespace

void reduce(Machine& machine, const Instruction& insn) {
  with_type_in(Numeric{}, insn.dst_type, [&]<class T>(T) {
    switch (insn.op) {
      case Op::cadd:
      case Op::cgadd:
      case Op::cpadd:
        return sum<T>(machine, insn);
      case Op::cmax:
      case Op::cgmax:
        return extreme<T>(machine, insn, Sentinel<T>::kLowest, kGreater);
      case Op::cmin:
      case Op::cgmin:
        return extreme<T>(machine, insn, Sentinel<T>::kHighest, kLesser);
      default:
        unknown(insn);
    }
  });
}

}  // namespace lanecheck::simulator
