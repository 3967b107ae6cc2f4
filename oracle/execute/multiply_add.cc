// muladddst, fusedmuladd and axpy: a product and a sum. The mask gates the writeback (VMC 3.1).
#include <cmath>

#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"
#include "oracle/execute/scalar_operand.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

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

/// Calls f with zeros of the types of dst and of the sources.
template <class F>
void with_types(const Instruction& insn, F f) {
  with_type_in(HalfAndFloat{}, insn, insn.dst_type, [&]<class D>(D dst) {
    with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class S>(S src) { f(dst, src); });
  });
}

/// muladddst: src0 * src1 + dst. fusedmuladd: src0 * dst + src1.
template <class Policy>
void multiply_add(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  const unsigned lanes = lanes_of(insn);
  with_types(insn, [&]<class D, class S>(D, S) {
    std::byte* dst = m.at(insn.operands[0]);
    std::byte* src0 = m.at(insn.operands[1]);
    std::byte* src1 = m.at(insn.operands[2]);
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
  });
}

/// axpy: src * scalar + dst.
template <class Policy>
void axpy(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  const unsigned lanes = lanes_of(insn);
  with_types(insn, [&]<class D, class S>(D, S) {
    std::byte* dst = m.at(insn.operands[0]);
    std::byte* src = m.at(insn.operands[1]);
    const float b = scalar_operand<S>(insn, policy);
    each_repeat<D>(m, insn, lanes, [&](unsigned repeat, D* results) {
      Lanes<S> a;
      Lanes<D> d;
      read_repeat(src, insn.operands[1], repeat, lanes, a.data());
      read_repeat(dst, insn.operands[0], repeat, lanes, d.data());
      for (unsigned lane = 0; lane < lanes; ++lane)
        results[lane] = multiply_then_add(policy.widen(a[lane]), b, d[lane], policy);
    });
  });
}

constexpr KernelRow kKernels[] = {
    {Op::muladddst, multiply_add<DefaultReadings>, multiply_add<UnderReadings>},
    {Op::fusedmuladd, multiply_add<DefaultReadings>, multiply_add<UnderReadings>},
    {Op::axpy, axpy<DefaultReadings>, axpy<UnderReadings>},
};

}  // namespace

std::span<const KernelRow> multiply_add_kernels() {
  return kKernels;
}

}  // namespace lanecheck
