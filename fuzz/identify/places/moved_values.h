// What an instruction that moves elements makes of them, if it does not leave them as they are.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "brcb.u32 writes the low 16 bits of each element twice": what gives every byte of two programs on elements
/// of any bits. Nothing if the backend is right there, if nothing gives it, or if the instruction is neither
/// brcb nor one with offsets.
std::optional<Difference> moved_value_law(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
