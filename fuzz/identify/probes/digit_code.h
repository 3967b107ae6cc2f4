// The digit code: data whose elements tell their own index, 4 bits at a time.
//
// In run p an element of the coded operand holds digit p (in base 16) of its index, as one of 16 values that
// are exact in every element type. What the instruction makes of the 16 values stands in a table; so each
// result names a digit of the element that it was computed from, and all runs together name the element.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

inline constexpr unsigned kDigits = 16;

/// The bits that stand for `digit` (0..15) in a source of `insn`.
std::uint64_t digit_bits(const Instruction& insn, unsigned digit);
/// What the other sources hold while one is coded: it keeps the results of the 16 values apart.
std::uint64_t partner_bits(const Instruction& insn);

/// What dst holds before the instruction, and what the documented result of each digit is.
struct DigitTable {
  std::uint64_t old = 0;  ///< no digit has it as its result
  std::array<std::uint64_t, kDigits> results{};
  bool exact = true;  ///< results may not be off by a rounding error

  /// The digit whose result this is; nothing if no digit has it.
  std::optional<unsigned> digit_of(Element type, std::uint64_t bits) const;
};
/// The table of operand `k`; nothing if the 16 results are not all different.
std::optional<DigitTable> digit_table(const Subject& subject, unsigned k);

/// What dst holds before a probe: each byte is `byte`, except if the instruction adds to dst or multiplies
/// it.
std::uint64_t old_dst_bits(const Instruction& insn, unsigned byte);

}  // namespace lanecheck
