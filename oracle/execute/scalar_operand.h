// The scalar of an instruction as its operation sees it.
#pragma once

#include "oracle/execute/arithmetic.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// The scalar, widened; reading half_scalar says whether a 16-bit float type rounds it first.
template <class T, class Policy>
auto scalar_operand(const Instruction& insn, const Policy& policy) {
  using W = typename Policy::template Wide<T>;
  if constexpr (is_half_width_float<T>)
    if (policy.wide_scalar) return static_cast<W>(insn.scalar.value);
  return policy.widen(from_bits<T>(insn.scalar.bits));
}

}  // namespace lanecheck
