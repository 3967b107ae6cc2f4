// Elementwise forms: the mask gates the writeback (VMC 3.1). Every source of a repeat is read before any lane
// of it is written.
#pragma once

#include "oracle/execute/convert.h"
#include "oracle/execute/lane.h"
#include "oracle/execute/machine.h"

namespace lanecheck::form {

/// The common walk: `compute(repeat, results)` fills the lanes of one repeat.
template <class T, class Compute>
void each_repeat(Machine& m, const Instruction& insn, unsigned lanes, Compute compute) {
  std::byte* dst = m.at(insn.operands[0]);
  Lanes<T> results;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    compute(repeat, results.data());
    write_repeat(dst, insn.operands[0], repeat, lanes, results.data(), m.write_gate(insn, repeat),
                 m.semantics.masked_off_becomes_zero);
  }
}

/// The scalar as the operation sees it (reading half_scalar).
template <class T, class Policy>
auto scalar_operand(const Instruction& insn, const Policy& policy) {
  using W = typename Policy::template Wide<T>;
  if constexpr (is_half_width_float<T>)
    if (policy.wide_scalar) return static_cast<W>(insn.scalar.value);
  return policy.widen(from_bits<T>(insn.scalar.bits));
}

template <class Lane, class T, class Policy>
void unary(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* src = m.at(insn.operands[1]);
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a;
    read_repeat(src, insn.operands[1], repeat, lanes_of(insn), a.data());
    for (unsigned lane = 0; lane < a.size(); ++lane)
      if constexpr (std::is_same_v<Lane, lane::complement>)
        results[lane] = static_cast<T>(Lane{}(a[lane]));  // bits, not numbers: nothing to overflow
      else
        results[lane] = policy.template narrow<T>(Lane{}(policy.widen(a[lane])));
  });
}

template <class Lane, class T, class Policy>
void binary(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* src0 = m.at(insn.operands[1]);
  std::byte* src1 = m.at(insn.operands[2]);
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a, b;
    read_repeat(src0, insn.operands[1], repeat, lanes_of(insn), a.data());
    read_repeat(src1, insn.operands[2], repeat, lanes_of(insn), b.data());
    for (unsigned lane = 0; lane < a.size(); ++lane)
      results[lane] = policy.template narrow<T>(Lane{}(policy.widen(a[lane]), policy.widen(b[lane])));
  });
}

template <class Lane, class T, class Policy>
void scalar(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* src = m.at(insn.operands[1]);
  const auto b = scalar_operand<T>(insn, policy);
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a;
    read_repeat(src, insn.operands[1], repeat, lanes_of(insn), a.data());
    for (unsigned lane = 0; lane < a.size(); ++lane)
      results[lane] = policy.template narrow<T>(Lane{}(policy.widen(a[lane]), b));
  });
}

/// a * b + d in the type of d (reading multiply_add).
template <class D, class Policy>
D multiply_then_add(float a, float b, D d, const Policy& policy) {
  const float addend = policy.widen(d);
  if (policy.fused) {
    if constexpr (std::is_same_v<D, float>) return policy.template narrow<D>(std::fma(a, b, addend));
    const double exact = static_cast<double>(a) * b + addend;
    return policy.template narrow<D>(widened(from_bits<Half>(nearest(Element::f16, exact))));
  }
  return policy.template narrow<D>(policy.widen(policy.template narrow<D>(a * b)) + addend);
}

/// muladddst: src0 * src1 + dst. fusedmuladd: src0 * dst + src1.
template <class D, class S, class Policy>
void multiply_add(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src0 = m.at(insn.operands[1]);
  std::byte* src1 = m.at(insn.operands[2]);
  const unsigned lanes = lanes_of(insn);
  each_repeat<D>(m, insn, lanes, [&](unsigned repeat, D* results) {
    Lanes<S> a, b;
    Lanes<D> d;
    read_repeat(src0, insn.operands[1], repeat, lanes, a.data());
    read_repeat(src1, insn.operands[2], repeat, lanes, b.data());
    read_repeat(dst, insn.operands[0], repeat, lanes, d.data());
    if constexpr (std::is_same_v<D, S>)
      if (insn.op == Op::fusedmuladd) std::swap(b, d);
    for (unsigned lane = 0; lane < lanes; ++lane)
      results[lane] = multiply_then_add(policy.widen(a[lane]), policy.widen(b[lane]), d[lane], policy);
  });
}

template <class D, class S, class Policy>
void axpy(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  const unsigned lanes = lanes_of(insn);
  const float b = scalar_operand<S>(insn, policy);
  each_repeat<D>(m, insn, lanes, [&](unsigned repeat, D* results) {
    Lanes<S> a;
    Lanes<D> d;
    read_repeat(src, insn.operands[1], repeat, lanes, a.data());
    read_repeat(dst, insn.operands[0], repeat, lanes, d.data());
    for (unsigned lane = 0; lane < lanes; ++lane)
      results[lane] = multiply_then_add(policy.widen(a[lane]), b, d[lane], policy);
  });
}

template <class Lane, class T>
void shift(Machine& m, const Instruction& insn) {
  std::byte* src = m.at(insn.operands[1]);
  const bool keeps_sign = m.semantics.readings.shift_left_sign == ShiftLeftSign::kept;
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a;
    read_repeat(src, insn.operands[1], repeat, lanes_of(insn), a.data());
    for (unsigned lane = 0; lane < a.size(); ++lane)
      results[lane] = Lane{}(a[lane], insn.settings[0], keeps_sign);
  });
}

template <class T>
void dup(Machine& m, const Instruction& insn) {
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned, T* results) {
    std::fill_n(results, lanes_of(insn), from_bits<T>(insn.scalar.bits));
  });
}

/// Lanes of one repeat of a cast. The documented count always fits; a wrong one is cut at the end of UB.
inline unsigned cast_lanes(const Machine& m, const Instruction& insn, unsigned repeat) {
  unsigned lanes = m.semantics.cast_lanes(insn);
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
void cast(Machine& m, const Instruction& insn, const Policy& policy) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  std::array<S, kMaskSlots> a;  // a wrong lane count may exceed one repeat of the wider type
  std::array<D, kMaskSlots> results;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    const unsigned lanes = cast_lanes(m, insn, repeat);
    read_repeat(src, insn.operands[1], repeat, lanes, a.data());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if constexpr (std::is_same_v<D, Half> && std::is_same_v<S, std::int32_t>)
        results[lane] = scaled(a[lane], from_bits<Half>(insn.scalar.bits));
      else
        results[lane] = convert<D>(a[lane], insn.round, m.semantics.readings);
      if constexpr (is_float_v<D> && std::is_same_v<Policy, Read>)
        results[lane] = policy.finish(results[lane]);
    }
    write_repeat(dst, insn.operands[0], repeat, lanes, results.data(), m.write_gate(insn, repeat),
                 m.semantics.masked_off_becomes_zero);
  }
}

}  // namespace lanecheck::form
