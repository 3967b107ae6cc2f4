// Repeats or data blocks of dst that are left out because of what the sources hold.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "relu.f32 does not write a repeat in which each result is the element of src", also under a full mask. Of
/// instructions with a result for each lane; nothing if no condition gives all that is left out.
std::optional<Difference> unwritten_parts(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
