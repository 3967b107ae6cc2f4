// A comparison that merges its bits with those that stood in dst, or with each other.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "leaves a bit of dst at 1 that was 1 before: the old bits are merged with its own by OR". Nothing if the
/// subject is no comparison into UB, or no such law gives all bits, with each of two data.
std::optional<Difference> merged_bits_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
