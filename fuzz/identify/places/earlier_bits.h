// Comparisons whose bits are combined with those of the repeats before.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "a bit of compare.f32 is 1 also if the same bit of an earlier repeat is 1". Nothing if drawn data do not
/// show it, or if the instruction does not compare repeat by repeat.
std::optional<Difference> bits_of_earlier_repeats(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
