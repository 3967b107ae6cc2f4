// A mask whose first or last active lane is taken for the one beside it: an end that is off by one.
#pragma once

#include "fuzz/identify/gates/several_slots.h"

namespace lanecheck {

/// "written also if they stand right behind the last active lane", "kept if they are the last active lane"
std::optional<SlotLaw> by_edge_lane(const GateGroup& group);

}  // namespace lanecheck
