// Elements of dst that an instruction which moves elements leaves unwritten because of their value.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "scatter.f16 does not write elements that are 0". Of gathers, scatters and broadcasts; nothing if no
/// condition on the value gives all that is left out.
std::optional<Difference> unwritten_elements(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
