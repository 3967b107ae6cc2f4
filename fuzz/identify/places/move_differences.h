// The difference between measured and documented places of the instructions of move_map.h, in sentences.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Empty if the maps are equal.
std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented);

/// The bytes from the results of one repeat to those of the next, if dst starts where it should and this
/// distance is wrong. Nothing if they follow no such distance.
std::optional<std::int64_t> wrong_bytes_between_repeats(const Subject& subject, const PlaceMaps& measured,
                                                        const PlaceMaps& documented);

}  // namespace lanecheck
