// What gather_mask keeps, where it puts it and what it returns, measured in several variants: patterns,
// strides, its modes, and what stands in the mask register.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// The difference in the first variant that shows one.
std::vector<Difference> gather_mask_differences(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
