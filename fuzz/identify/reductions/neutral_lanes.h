// In which lanes a masked-off element acts like a number: in all of them, or in some.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Adds to `difference`, which says that a masked-off element acts like `neutral`, the lanes in which it does
/// if it is the only one of its result that is off. Nothing is added if these are all.
void say_neutral_lanes(const Subject& subject, std::uint64_t neutral, const Ask& ask, Difference& difference);

}  // namespace lanecheck
