// Finds how many repeats an instruction performs for each of its repeat times.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "relu.f32 uses only the lowest 7 bits of its repeat times", "cast.f32.f16 rounds its repeat times down to
/// an even number": a rule that gives the number of repeats for small, large and odd repeat times. Nothing
/// if the instruction performs the repeat times of `subject` as documented, or if no rule fits.
std::optional<Difference> repeat_times_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
