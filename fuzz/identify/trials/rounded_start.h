// Operands that start elsewhere if their address is no multiple of some number of bytes.
#pragma once

#include <optional>

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "dst of cadd.f16 starts at its address rounded down to a multiple of 32 bytes". Asks about each operand
/// that may start between two data blocks. Nothing if all are right, or no such law gives what is left.
std::optional<Difference> rounded_start(const Subject& given, const Ask& ask);

}  // namespace lanecheck
