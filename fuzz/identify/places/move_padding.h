// How a backend pads, if not as documented: measured in all modes and on both sides, under masks and counts.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "vpadding.f32 reads masked-off elements of src as 0": what explains every element of all probes. Nothing
/// if the backend is right there, if no rule explains it, or if the instruction pads nothing.
std::optional<Difference> padding_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
