// What an instruction with a contiguous mask of its own leaves in the mask register: if this mask is taken
// wrongly, a law of its length.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// What the subject does to the register and the mode instead of what is documented, as a law of its length
/// if one gives all slots: "for a contiguous mask of its own gather.u16 takes at most 64 elements, as the
/// mask register shows behind it".
std::vector<Difference> left_in_register(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
