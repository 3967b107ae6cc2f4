// A short cut of selects: the control bits of the first repeat are all equal.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "select.f32 uses the control bits of repeat 0 in every repeat if these are all 1": nothing if the backend
/// is wrong about other control bits, too, or if this does not give all that it leaves.
std::optional<Difference> whole_control(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
