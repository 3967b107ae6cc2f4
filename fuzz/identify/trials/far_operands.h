// Operands that lie far behind the start of UB, or repeats that lie far behind the start of their operand:
// addresses that have too few bits.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "takes byte 65536 + n of UB as byte n", or that it is wrong from some byte of UB on. Nothing if operands
/// that lie there are right, or if an operand at the start of UB is wrong too.
std::optional<Difference> far_operand_difference(const Subject& subject, const Ask& ask);

/// "repeats that start 65536 + n bytes behind the first one are taken to start n bytes behind it". Nothing if
/// the repeats are right, or if no such law gives all that the backend leaves.
std::optional<Difference> far_repeat_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
