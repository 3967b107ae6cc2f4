// A mask that moves on from repeat to repeat: each repeat is gated by slots further on (VMC section 1: the
// same slots gate every repeat).
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// The gates of a map that are not left out.
std::vector<ElementGate> gates_in(const GateMap& map, const std::vector<bool>& skipped);

/// The one law that gives all the gates which were seen, none of a lane from 128 on. Nothing if there is
/// none.
std::optional<Difference> moving_mask(const Subject& subject, const std::vector<ElementGate>& seen);

}  // namespace lanecheck
