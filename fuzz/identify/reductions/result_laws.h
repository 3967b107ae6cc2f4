// What else the results of a reduction are made of: their old dst, results before them, other lanes.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cmax.f16 keeps the greater one of its result and what dst holds". Of a list of laws, the one that gives
/// all results under masks of many kinds; nothing if none does, or if the results are right.
std::optional<Difference> result_law(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
