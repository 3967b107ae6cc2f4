// How an instruction finds its code. A kernel executes one instruction on the machine. Each family of
// instructions has a file with its kernels and a table that names the kernel of each Op; execute.cc looks
// them up.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "oracle/execute/arithmetic.h"
#include "oracle/execute/machine.h"

namespace lanecheck {

using Kernel = void (*)(Machine&, const Instruction&);

struct KernelRow {
  Op op;
  Kernel by_default;      ///< used if all readings of arithmetic are at their default
  Kernel under_readings;  ///< used otherwise; it asks the readings

  constexpr KernelRow(Op of, Kernel both) : KernelRow(of, both, both) {}
  constexpr KernelRow(Op of, Kernel fast, Kernel asking) : op(of), by_default(fast), under_readings(asking) {}
};

std::span<const KernelRow> mask_call_kernels();
std::span<const KernelRow> elementwise_kernels();
std::span<const KernelRow> multiply_add_kernels();
std::span<const KernelRow> cast_kernels();
std::span<const KernelRow> reduction_kernels();
std::span<const KernelRow> select_kernels();
std::span<const KernelRow> compare_kernels();
std::span<const KernelRow> move_kernels();
std::span<const KernelRow> sort_kernels();
std::span<const KernelRow> gather_mask_kernels();
std::span<const KernelRow> padding_kernels();

/// The tables of all families. Together they name each Op once.
std::span<const std::span<const KernelRow>> kernel_families();

/// The policy under which a kernel computes.
template <class Policy>
Policy policy_of(const Machine& m) {
  if constexpr (std::is_same_v<Policy, UnderReadings>)
    return UnderReadings{m.semantics.readings, m.semantics.seams.narrow_half};
  else
    return {};
}

/// For a type that the instruction does not have. Legal programs never get here.
[[noreturn]] inline void throw_no_kernel(const Instruction& insn, Element type) {
  throw std::logic_error("the oracle cannot execute " + std::string(row_of(insn.op).name) + " on " +
                         std::string(name_of(type)));
}

/// A list of C++ types.
template <class... Ts>
struct Types {};

/// Calls f with a zero of the C++ type behind `type`, which must be one of `Ts`.
template <class... Ts, class F>
void with_type_in(Types<Ts...>, const Instruction& insn, Element type, F f) {
  with_type(type, [&](auto zero) {
    if constexpr ((std::is_same_v<decltype(zero), Ts> || ...))
      f(zero);
    else
      throw_no_kernel(insn, type);
  });
}

using HalfAndFloat = Types<Half, float>;
using Numeric = Types<Half, float, std::int16_t, std::int32_t>;

/// For instructions that only move elements: an unsigned integer as wide as `type`, of 16 or 32 bits.
template <class F>
void with_bits(const Instruction& insn, Element type, F f) {
  if (size_of(type) == 2) return f(std::uint16_t{});
  if (size_of(type) == 4) return f(std::uint32_t{});
  throw_no_kernel(insn, type);
}

}  // namespace lanecheck
