// Elements behind a count that stand for those of the repeat before in a reduction.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cadd.f32 takes the elements of the repeat before in place of those of the last repeat behind the count
/// n": as if what is reduced were filled with the neutral element once, and not in each repeat. Nothing if
/// this does not give all that is left by several counts.
std::optional<Difference> elements_of_before(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
