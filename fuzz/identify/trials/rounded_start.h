// Operands that start elsewhere if their address is no multiple of some number of bytes.
#pragma once

#include <optional>

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "dst of cadd.f16 starts at its address rounded down to a multiple of 32 bytes". Asks about each operand:
/// within a data block if it may start there, else as rounded_address() does. Nothing if all are right, or no
/// such law gives what is left.
std::optional<Difference> rounded_start(const Subject& given, const Ask& ask);

/// "src1 of sub.i16 starts at its address in UB rounded down to a multiple of 64 bytes". Asks about operand
/// `k` alone, at two places. Nothing if it is wrong at a multiple of 512 bytes, or no such law gives what is
/// left.
std::optional<Difference> rounded_address(const Subject& given, unsigned k, const Ask& ask);

}  // namespace lanecheck
