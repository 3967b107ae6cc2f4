// cast: from one element type to another. The mask gates the writeback, by the lanes of the wider type
// (VMC 3.1).
#include "oracle/execute/convert.h"
#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// Lanes of one repeat of a cast. The documented count always fits; a wrong one is cut at the end of UB.
unsigned cast_lanes(const Machine& m, const Instruction& insn, unsigned repeat) {
  unsigned lanes = m.semantics.seams.cast_lanes(insn);
  if (lanes == lanes_of(insn)) return lanes;
  for (unsigned k = 0; k < 2; ++k) {
    const Operand& operand = insn.operands[k];
    const unsigned per = per_block(k == 0 ? insn.dst_type : insn.src_type);
    const unsigned both =
        std::max(per_block(insn.dst_type), per_block(insn.src_type));  // whole blocks of either
    while (lanes > 0 &&
           block_at(m.at(operand), operand, repeat, (lanes - 1) / per) + kBlockBytes > m.ub + m.ub_bytes)
      lanes -= std::min(lanes, both);
  }
  return lanes;
}

template <class D, class S, class Policy>
D cast_lane(const Machine& m, const Instruction& insn, S source) {
  D result;
  if constexpr (std::is_same_v<D, Half> && std::is_same_v<S, std::int32_t>)
    result = scaled(source, from_bits<Half>(insn.scalar.bits));
  else
    result = convert<D>(source, insn.round, m.semantics.readings);
  if constexpr (std::is_same_v<D, Half> && is_float_v<S> && std::is_same_v<Policy, UnderReadings>)
    result =
        overflowed(result, static_cast<double>(widened(source)), m.semantics.readings.cast_half_overflow);
  if constexpr (is_float_v<D> && std::is_same_v<Policy, UnderReadings>)
    result = policy_of<Policy>(m).finish(result);
  return result;
}

template <class D, class S, class Policy>
void cast_as(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  std::array<S, kMaskSlots> a;  // a wrong lane count may exceed one repeat of the wider type
  std::array<D, kMaskSlots> results;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    const unsigned lanes = cast_lanes(m, insn, repeat);
    read_repeat(src, insn.operands[1], repeat, lanes, a.data());
    for (unsigned lane = 0; lane < lanes; ++lane) results[lane] = cast_lane<D, S, Policy>(m, insn, a[lane]);
    write_repeat(dst, insn.operands[0], repeat, lanes, results.data(), m.write_gate(insn, repeat),
                 m.semantics.seams.masked_off_becomes_zero);
  }
}

template <class Policy>
void cast(Machine& m, const Instruction& insn) {
  using Cast =
      Types<Half, BFloat16, float, std::int8_t, std::uint8_t, std::int16_t, std::int32_t, std::int64_t>;
  with_type_in(Cast{}, insn, insn.dst_type, [&]<class D>(D) {
    with_type_in(Cast{}, insn, insn.src_type, [&]<class S>(S) { cast_as<D, S, Policy>(m, insn); });
  });
}

constexpr KernelRow kCastKernels[] = {{Op::cast, cast<DefaultReadings>, cast<UnderReadings>}};

}  // namespace

std::span<const KernelRow> cast_kernels() {
  return kCastKernels;
}

}  // namespace lanecheck
