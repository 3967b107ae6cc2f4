// Results of a reduction that are not written because of their value, or of what they are computed from.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Nothing if all results are written under a full mask, or if no condition tells the others.
std::optional<Difference> unwritten_results(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
