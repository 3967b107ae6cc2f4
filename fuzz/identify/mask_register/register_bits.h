// Which bit of its own mask an instruction puts into each slot of the mask register, as a law of words and
// bits.
#pragma once

#include "fuzz/identify/mask_register/register_probe.h"

namespace lanecheck {

/// "slots 0..63 of the mask register hold the high word of its own mask, slots 64..127 hold the low word of
/// its own mask". `seen`: masks of many kinds, in normal mode. Nothing if no bit, or more than one, explains
/// a slot.
std::optional<std::string> register_bits(const std::vector<Observed>& seen);

}  // namespace lanecheck
