// Which mask slot decides about each lane of an instruction of move_map.h, and what a lane that is off
// receives.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "lanes 64..127 of gather.u16 are gated by slots 64..127 instead of being written under every mask; a lane
/// that is off keeps its old dst". `documented`: the maps of places under a full mask, which must be those of
/// the backend too. Nothing if all lanes are gated as documented, or if the backend does not answer.
std::vector<Difference> move_gate_differences(const Subject& subject, const PlaceMaps& documented,
                                              const Ask& ask);

}  // namespace lanecheck
