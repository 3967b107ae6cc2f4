// The difference between measured and documented places of the instructions of move_map.h, in sentences.
#pragma once

#include <map>

#include "fuzz/probes/maps.h"

namespace lanecheck {

/// Empty if the maps are equal. `under`: ", under ..." if the mask of the probes is part of the statement.
std::vector<Difference> move_differences(const Subject& subject, const PlaceMaps& measured,
                                         const PlaceMaps& documented, const std::string& under = {});

/// The lane (repeat times lanes of a repeat + lane) of each place of dst that is written by the documents.
std::map<std::int32_t, unsigned> lanes_of_dst(const Subject& subject, const SourceMap& documented);

/// "masked-off lanes of vpadding.f16 receive 0 instead of keeping their old dst": if that is all that differs
/// under a mask that is not full. `full`: the documented maps under a full mask.
std::optional<Difference> zeros_where_off(const Subject& subject, const PlaceMaps& measured,
                                          const PlaceMaps& documented, const PlaceMaps& full);

}  // namespace lanecheck
