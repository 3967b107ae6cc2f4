// What a count or a contiguous length does instead of what is documented, in sentences.
#pragma once

#include "fuzz/probes/length_map.h"

namespace lanecheck {

/// What a number of elements does instead of what is documented; nothing if the maps are equal.
std::vector<Difference> length_differences(const Subject& subject, MaskGiven given, const LengthMap& measured,
                                           const LengthMap& documented);

}  // namespace lanecheck
