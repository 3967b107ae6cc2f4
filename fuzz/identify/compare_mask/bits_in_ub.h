// Measures instructions whose bits pass through the compare mask by instructions whose bits lie in UB:
// compare_cmpmask by compare, select_cmpmask by select_bits. Each probe is asked in a longer form:
// set_cmpmask brings bits from UB, get_cmpmask takes them back.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// compare or select_bits, with the operands, strides and types of the subject; nothing for an instruction
/// that is not measured so.
std::optional<Subject> with_bits_in_ub(const Subject& subject);

/// `ask` for probes of compare or select_bits: asks the same of compare_cmpmask or select_cmpmask. One of
/// select_cmpmask runs behind a set_cmpmask. A probe with more bits than UB has room for is not run.
Ask through_compare_mask(const Ask& ask);

/// Bytes of the compare mask, and those that dst of get_cmpmask must have (asc-devkit, GetCmpMask).
inline constexpr std::uint32_t kCompareMaskBytes = 16, kCopyBytes = 128;

/// set_cmpmask or get_cmpmask with its operand at a place of UB. `op`: which of them.
Instruction compare_mask_copy(Op op, const Operand& operand);

}  // namespace lanecheck
