// The compares (VMC 4): packed bits in UB or in the compare mask.
#include <cmath>

#include "oracle/execute/kernel.h"
#include "oracle/execute/ordered.h"
#include "oracle/execute/packed_bits.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// Does `a compare b` hold? Reading compare_nan decides if one of them is a NaN.
template <class T>
bool holds(Compare compare, T a, T b, CompareNan nan) {
  if constexpr (is_float_v<T>) {
    const float x = widened(a), y = widened(b);
    const bool if_unordered = nan == CompareNan::ieee && compare == Compare::ne;
    const bool in_order = ordered(compare, x, y), nan_x = std::isnan(x), nan_y = std::isnan(y);
    return in_order | (if_unordered & (nan_x | nan_y));  // no NaN is ordered
  } else {
    return ordered(compare, a, b);
  }
}

/// compare and compare_scalar: `other(repeat, lanes)` fills the right-hand side.
template <class T, class Other>
void compare_with(Machine& m, const Instruction& insn, Other other) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  const unsigned lanes = lanes_of(insn);
  const auto room = static_cast<std::size_t>(m.ub + m.ub_bytes - dst);
  const BitLayout layout = m.semantics.seams.result_bits;
  const CompareNan nan = m.semantics.readings.compare_nan;
  const Compare relation = insn.compare;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    Lanes<T> a, b;
    read_repeat(src, insn.operands[1], repeat, lanes, a.data());
    other(repeat, b.data());
    std::array<std::uint8_t, std::tuple_size_v<Lanes<T>>> results;
    for (unsigned lane = 0; lane < results.size(); ++lane)
      results[lane] = holds(relation, a[lane], b[lane], nan) ? 1 : 0;
    put_bits(dst, room, repeat * lanes, results, m.write_gate(insn, repeat), layout);
  }
}

void compare(Machine& m, const Instruction& insn) {
  with_type_in(Numeric{}, insn, insn.src_type, [&]<class T>(T) {
    std::byte* src1 = m.at(insn.operands[2]);
    compare_with<T>(m, insn, [&](unsigned repeat, T* b) {
      read_repeat(src1, insn.operands[2], repeat, lanes_of(insn), b);
    });
  });
}

void compare_scalar(Machine& m, const Instruction& insn) {
  with_type_in(Numeric{}, insn, insn.src_type, [&]<class T>(T) {
    compare_with<T>(m, insn,
                    [&](unsigned, T* b) { std::fill_n(b, lanes_of(insn), from_bits<T>(insn.scalar.bits)); });
  });
}

/// One repeat into the compare mask: a masked-off lane keeps its bit (asc-devkit, Compare to register).
void compare_cmpmask(Machine& m, const Instruction& insn) {
  with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class T>(T) {
    Lanes<T> a, b;
    read_repeat(m.at(insn.operands[0]), insn.operands[0], 0, lanes_of(insn), a.data());
    read_repeat(m.at(insn.operands[1]), insn.operands[1], 0, lanes_of(insn), b.data());
    std::array<std::uint8_t, std::tuple_size_v<Lanes<T>>> results;
    for (unsigned lane = 0; lane < results.size(); ++lane)
      results[lane] = holds(insn.compare, a[lane], b[lane], m.semantics.readings.compare_nan) ? 1 : 0;
    put_bits(m.cmpmask.data(), m.cmpmask.size(), 0, results, m.write_gate(insn, 0), BitLayout::lowest_first);
  });
}

constexpr KernelRow kCompareKernels[] = {
    {Op::compare, compare},
    {Op::compare_scalar, compare_scalar},
    {Op::compare_cmpmask, compare_cmpmask},
};

}  // namespace

std::span<const KernelRow> compare_kernels() {
  return kCompareKernels;
}

}  // namespace lanecheck
