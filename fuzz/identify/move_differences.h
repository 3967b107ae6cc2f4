// The difference between measured and documented places of the instructions of move_map.h, in sentences.
#pragma once

#include <map>

#include "fuzz/identify/maps.h"

namespace lanecheck {

/// Empty if the maps are equal. `under`: ", under ..." if the mask of the probes is part of the statement.
std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented, const std::string& under = {});

/// The lane (repeat times lanes of a repeat + lane) of each place of dst that is written by the documents.
std::map<std::int32_t, unsigned> lanes_of_dst(const Subject& subject, const SourceMap& documented);

}  // namespace lanecheck
