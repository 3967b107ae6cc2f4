// Several lanes of an instruction of move_map.h write one place, and another result stays there than that of
// the last lane.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "where several lanes of a repeat of brcb.f16 write one place, the result of the first lane stays instead
/// of the last one". Nothing if a wrong element is not one that an earlier lane has by the documents. `mask`:
/// under which the maps were measured.
std::optional<Difference> earlier_lane_stays(const Subject& subject, const MaskWords& mask,
                                             const PlaceMaps& measured, const PlaceMaps& documented);

}  // namespace lanecheck
