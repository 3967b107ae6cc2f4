// Laws by which a part of the mask decides: "kept, if the first and the last slot of their data block are 0".
// Short cuts for data blocks, pairs and halves of a repeat obey such laws.
#pragma once

#include "fuzz/identify/gates/several_slots.h"

namespace lanecheck {

/// Under a condition on one part of the mask, all lanes of the group are written, or all are kept; else each
/// obeys its own slot. Nothing if no part and no condition give what was seen.
std::optional<SlotLaw> by_part(const GateGroup& group);

/// Masks in which parts of every kind are full, empty, or full except for some of their slots, each beside
/// others. A law of parts must hold under them, too.
std::vector<MaskWords> masks_of_parts(const Subject& subject);

}  // namespace lanecheck
