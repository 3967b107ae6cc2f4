// muladddst, fusedmuladd and axpy: a product and a sum. The mask gates the writeback (VMC 3.1).
#include <cmath>
#include <vector>

#include "oracle/execute/half_lanes.h"
#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"
#include "oracle/execute/scalar_operand.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// a * b + d, rounded once to the type of d.
template <class D, class W, class Policy>
D fused(W a, W b, D d, const Policy& policy) {
  const W addend = policy.widen(d);
  if constexpr (!is_float_v<D>) return policy.template narrow<D>(sum(product(a, b), addend));
  if constexpr (std::is_same_v<D, float>) return policy.template narrow<D>(std::fma(a, b, addend));
  if constexpr (std::is_same_v<D, Half>) {
    const double exact = static_cast<double>(a) * b + addend;
    return policy.template narrow<D>(widened(from_bits<Half>(nearest(Element::f16, exact))));
  }
}

/// a * b + d of each lane in the type of d, rounded as `how` says (reading multiply_add or
/// fused_multiply_add).
template <class D, class W, std::size_t N, class Policy>
void multiply_then_add(const std::array<W, N>& a, const std::array<W, N>& b, const Lanes<D>& d, D* results,
                       unsigned lanes, MultiplyAdd how, const Policy& policy) {
  if (how == MultiplyAdd::fused) {
    for (unsigned lane = 0; lane < lanes; ++lane) results[lane] = fused(a[lane], b[lane], d[lane], policy);
    return;
  }
  if constexpr (std::is_same_v<D, Half>)
    if (how == MultiplyAdd::half_in_single) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        results[lane] = policy.template narrow<D>(sum(product(a[lane], b[lane]), policy.widen(d[lane])));
      return;
    }
  std::array<W, N> products{};
  WideLanes<D, Policy> x, y;
  for (unsigned lane = 0; lane < lanes; ++lane) products[lane] = product(a[lane], b[lane]);
  narrow_lanes(policy, products.data(), results, lanes);
  widen_lanes(policy, results, x.data(), lanes);
  widen_lanes(policy, d.data(), y.data(), lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) x[lane] = sum(x[lane], y[lane]);
  narrow_lanes(policy, x.data(), results, lanes);
}

/// Calls f with zeros of the types of dst and of the sources.
template <class F>
void with_types(const Instruction& insn, F f) {
  with_type_in(HalfAndFloat{}, insn, insn.dst_type, [&]<class D>(D dst) {
    with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class S>(S src) { f(dst, src); });
  });
}

/// Where the repeats read dst (reading dst_read_back): in UB, or in a copy of UB from before the instruction.
class OldDst {
 public:
  OldDst(const Machine& m, const Instruction& insn) : start_(m.at(insn.operands[0])) {
    if (m.semantics.readings.dst_read_back == DstReadBack::as_left) return;
    copy_.assign(m.ub, m.ub + m.ub_bytes);
    start_ = copy_.data() + (start_ - m.ub);
  }

  OldDst(const OldDst&) = delete;  // it points into its copy

  std::byte* start() const { return start_; }

 private:
  std::vector<std::byte> copy_;
  std::byte* start_;
};

/// muladddst: src0 * src1 + dst. fusedmuladd: src0 * dst + src1.
template <class D, class S, class Policy>
void multiply_add_as(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  const unsigned lanes = lanes_of(insn);
  const OldDst dst(m, insn);
  std::byte* src0 = m.at(insn.operands[1]);
  std::byte* src1 = m.at(insn.operands[2]);
  const auto how = insn.op == Op::fusedmuladd ? policy.fused_multiply_add : policy.multiply_add;
  each_repeat<D>(m, insn, lanes, [&](unsigned repeat, D* results) {
    Lanes<S> a, b;
    Lanes<D> d;
    read_repeat(src0, insn.operands[1], repeat, lanes, a.data());
    read_repeat(src1, insn.operands[2], repeat, lanes, b.data());
    read_repeat(dst.start(), insn.operands[0], repeat, lanes, d.data());
    if constexpr (std::is_same_v<D, S>)
      if (insn.op == Op::fusedmuladd) std::swap(b, d);
    WideLanes<S, Policy> x, y;
    widen_lanes(policy, a.data(), x.data(), lanes);
    widen_lanes(policy, b.data(), y.data(), lanes);
    multiply_then_add(x, y, d, results, lanes, how, policy);
  });
}

template <class Policy>
void multiply_add(Machine& m, const Instruction& insn) {
  with_types(insn, [&]<class D, class S>(D, S) { multiply_add_as<D, S, Policy>(m, insn); });
}

/// muladddst has integers beside the floats.
template <class Policy>
void muladddst(Machine& m, const Instruction& insn) {
  if (insn.dst_type == Element::i32 && insn.src_type == Element::i32)
    return multiply_add_as<std::int32_t, std::int32_t, Policy>(m, insn);
  multiply_add<Policy>(m, insn);
}

/// axpy: src * scalar + dst.
template <class Policy>
void axpy(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  const unsigned lanes = lanes_of(insn);
  with_types(insn, [&]<class D, class S>(D, S) {
    const OldDst dst(m, insn);
    std::byte* src = m.at(insn.operands[1]);
    WideLanes<S, Policy> x, b;
    b.fill(scalar_operand<S>(insn, policy));
    each_repeat<D>(m, insn, lanes, [&](unsigned repeat, D* results) {
      Lanes<S> a;
      Lanes<D> d;
      read_repeat(src, insn.operands[1], repeat, lanes, a.data());
      read_repeat(dst.start(), insn.operands[0], repeat, lanes, d.data());
      widen_lanes(policy, a.data(), x.data(), lanes);
      multiply_then_add(x, b, d, results, lanes, policy.multiply_add, policy);
    });
  });
}

constexpr KernelRow kMultiplyAddKernels[] = {
    {Op::muladddst, muladddst<DefaultReadings>, muladddst<UnderReadings>},
    {Op::fusedmuladd, multiply_add<DefaultReadings>, multiply_add<UnderReadings>},
    {Op::axpy, axpy<DefaultReadings>, axpy<UnderReadings>},
};

}  // namespace

std::span<const KernelRow> multiply_add_kernels() {
  return kMultiplyAddKernels;
}

}  // namespace lanecheck
