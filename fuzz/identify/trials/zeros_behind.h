// Comparisons that clear dst behind the bits of their last repeat.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Says up to where, for several repeat times: "compare.f32 fills dst up with 0 behind its results, up to the
/// end of their data block". Nothing if something else is wrong too, or if no law fits.
std::optional<Difference> zeros_behind_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
