// The difference between measured and documented places of the instructions of move_map.h, in sentences.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Empty if the maps are equal.
std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented);

}  // namespace lanecheck
