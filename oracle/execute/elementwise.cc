// Elementwise instructions: one lane function for each, between the widening of the sources and the narrowing
// of the result. The mask gates the writeback (VMC 3.1), in write_repeat. To add an instruction of a form
// that stands here, add its row to kElementwiseKernels, with its lane function.
#include <cmath>

#include "oracle/execute/half_lanes.h"
#include "oracle/execute/kernel.h"
#include "oracle/execute/lane.h"
#include "oracle/execute/repeat.h"
#include "oracle/execute/scalar_operand.h"

namespace lanecheck {
namespace {

using lane::Float;

/// The types on which elementwise instructions compute. A lane function has no kernel for a type whose
/// widened type it does not take; for example, `~` takes no float.
using Computed =
    Types<Half, float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>;

/// Instructions with one source: dst = lane(src).
template <class Lane, class Policy>
void unary_kernel(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  with_type_in(Computed{}, insn, insn.dst_type, [&]<class T>(T) {
    if constexpr (std::is_invocable_v<Lane, typename Policy::template Wide<T>>) {
      std::byte* src = m.at(insn.operands[1]);
      each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
        Lanes<T> a;
        WideLanes<T, Policy> x;
        read_repeat(src, insn.operands[1], repeat, lanes_of(insn), a.data());
        widen_lanes(policy, a.data(), x.data(), x.size());
        for (auto& lane : x) lane = Lane{}(lane);
        narrow_lanes(policy, x.data(), results, x.size());
      });
    } else {
      throw_no_kernel(insn, insn.dst_type);
    }
  });
}

/// Instructions with two sources: dst = lane(src0, src1).
template <class Lane, class Policy>
void binary_kernel(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  with_type_in(Computed{}, insn, insn.dst_type, [&]<class T>(T) {
    using W = typename Policy::template Wide<T>;
    if constexpr (std::is_invocable_v<Lane, W, W>) {
      std::byte* src0 = m.at(insn.operands[1]);
      std::byte* src1 = m.at(insn.operands[2]);
      each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
        Lanes<T> a, b;
        read_repeat(src0, insn.operands[1], repeat, lanes_of(insn), a.data());
        read_repeat(src1, insn.operands[2], repeat, lanes_of(insn), b.data());
        WideLanes<T, Policy> x, y;
        widen_lanes(policy, a.data(), x.data(), x.size());
        widen_lanes(policy, b.data(), y.data(), y.size());
        for (unsigned lane = 0; lane < x.size(); ++lane) x[lane] = Lane{}(x[lane], y[lane]);
        narrow_lanes(policy, x.data(), results, x.size());
      });
    } else {
      throw_no_kernel(insn, insn.dst_type);
    }
  });
}

/// Instructions with a source and a scalar: dst = lane(src, scalar).
template <class Lane, class Policy>
void scalar_kernel(Machine& m, const Instruction& insn) {
  const auto policy = policy_of<Policy>(m);
  with_type_in(Computed{}, insn, insn.dst_type, [&]<class T>(T) {
    using W = typename Policy::template Wide<T>;
    if constexpr (std::is_invocable_v<Lane, W, W>) {
      std::byte* src = m.at(insn.operands[1]);
      const W b = scalar_operand<T>(insn, policy);
      each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
        Lanes<T> a;
        WideLanes<T, Policy> x;
        read_repeat(src, insn.operands[1], repeat, lanes_of(insn), a.data());
        widen_lanes(policy, a.data(), x.data(), x.size());
        for (auto& lane : x) lane = Lane{}(lane, b);
        narrow_lanes(policy, x.data(), results, x.size());
      });
    } else {
      throw_no_kernel(insn, insn.dst_type);
    }
  });
}

template <class Lane>
constexpr KernelRow unary(Op op, Lane) {
  return {op, unary_kernel<Lane, DefaultReadings>, unary_kernel<Lane, UnderReadings>};
}
template <class Lane>
constexpr KernelRow binary(Op op, Lane) {
  return {op, binary_kernel<Lane, DefaultReadings>, binary_kernel<Lane, UnderReadings>};
}
template <class Lane>
constexpr KernelRow scalar(Op op, Lane) {
  return {op, scalar_kernel<Lane, DefaultReadings>, scalar_kernel<Lane, UnderReadings>};
}

// --- instructions that work on bits or move them: no arithmetic, so that no policy is needed ---

/// vnot: the bits of an element.
void complement(Machine& m, const Instruction& insn) {
  using Integers = Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>;
  with_type_in(Integers{}, insn, insn.dst_type, [&]<class T>(T) {
    each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
      Lanes<T> a;
      read_repeat(m.at(insn.operands[1]), insn.operands[1], repeat, lanes_of(insn), a.data());
      for (unsigned lane = 0; lane < a.size(); ++lane) results[lane] = static_cast<T>(~a[lane]);
    });
  });
}

/// `by` is at most the width of T.
template <class T>
T shift_left(T a, unsigned by, bool keeps_sign) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = 8 * sizeof(T);
  const auto shifted = static_cast<U>(by >= width ? 0 : static_cast<std::uint64_t>(static_cast<U>(a)) << by);
  if (!std::is_signed_v<T> || !keeps_sign) return static_cast<T>(shifted);
  constexpr U sign = static_cast<U>(U{1} << (width - 1));
  return static_cast<T>(static_cast<U>((shifted & static_cast<U>(~sign)) | (static_cast<U>(a) & sign)));
}

template <class T>
T shift_right(T a, unsigned by) {
  return static_cast<T>(static_cast<std::int64_t>(a) >>
                        by);  // shifts in the sign, which is 0 in unsigned types
}

void shift(Machine& m, const Instruction& insn) {
  const bool left = insn.op == Op::shl;
  const bool keeps_sign = m.semantics.readings.shift_left_sign == ShiftLeftSign::kept;
  using Shifted = Types<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>;
  with_type_in(Shifted{}, insn, insn.dst_type, [&]<class T>(T) {
    each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
      Lanes<T> a;
      read_repeat(m.at(insn.operands[1]), insn.operands[1], repeat, lanes_of(insn), a.data());
      for (unsigned lane = 0; lane < a.size(); ++lane)
        results[lane] =
            left ? shift_left(a[lane], insn.settings[0], keeps_sign) : shift_right(a[lane], insn.settings[0]);
    });
  });
}

void dup(Machine& m, const Instruction& insn) {
  with_type(insn.dst_type, [&]<class T>(T) {
    each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned, T* results) {
      std::fill_n(results, lanes_of(insn), from_bits<T>(insn.scalar.bits));
    });
  });
}

constexpr auto magnitude = []<class W>(W a) {
  if constexpr (Float<W>)
    return std::fabs(a);
  else
    return a < 0 ? difference(W{0}, a) : a;
};

constexpr auto leaky = [](Float auto a, Float auto slope) {
  const float sloped = a * slope;
  return a >= 0 ? a : sloped;
};

constexpr KernelRow kElementwiseKernels[] = {
    unary(Op::exp, [](Float auto a) { return std::exp(a); }),
    unary(Op::ln, [](Float auto a) { return std::log(a); }),
    unary(Op::abs, magnitude),
    unary(Op::rec, [](Float auto a) { return 1.0f / a; }),
    unary(Op::sqrt, [](Float auto a) { return std::sqrt(a); }),
    unary(Op::rsqrt, [](Float auto a) { return 1.0f / std::sqrt(a); }),
    unary(Op::relu, []<class W>(W a) { return a < W{0} ? W{0} : a; }),
    {Op::vnot, complement},

    binary(Op::add, lane::plus),
    binary(Op::sub, lane::minus),
    binary(Op::mul, lane::times),
    binary(Op::div, [](Float auto a, Float auto b) { return a / b; }),
    binary(Op::vmax, lane::greater),
    binary(Op::vmin, lane::lesser),
    binary(Op::vand, []<std::integral W>(W a, W b) { return a & b; }),
    binary(Op::vor, []<std::integral W>(W a, W b) { return a | b; }),

    scalar(Op::adds, lane::plus),
    scalar(Op::muls, lane::times),
    scalar(Op::vmaxs, lane::greater),
    scalar(Op::vmins, lane::lesser),
    scalar(Op::lrelu, leaky),

    {Op::shl, shift},
    {Op::shr, shift},
    {Op::dup, dup},
};

}  // namespace

std::span<const KernelRow> elementwise_kernels() {
  return kElementwiseKernels;
}

}  // namespace lanecheck
