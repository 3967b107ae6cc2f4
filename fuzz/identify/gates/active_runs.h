// A mask that is taken for one run of active lanes: it ends at the first gap, or it begins at the first
// active lane and is as long as there are active slots.
#pragma once

#include "fuzz/identify/gates/several_slots.h"

namespace lanecheck {

/// "written only if they lie in the first run of active lanes", "written by the number of active slots: n
/// lanes from the first active one on, if n slots are 1"; of a repeat, a half of it, or a data block.
std::optional<SlotLaw> by_active_run(const GateGroup& group);

}  // namespace lanecheck
