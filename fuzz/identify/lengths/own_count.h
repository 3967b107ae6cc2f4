// A count stands in the mask register, or is the instruction's own: a law of the one need not be one of the
// other.
#pragma once

#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// What is added to a sentence about counter mode.
inline constexpr std::string_view kOwnCountIsObeyed = "; a count of its own is obeyed";

/// Adds it to laws about a count in the register if a count of its own is obeyed by the instruction.
void say_if_own_count_is_obeyed(const Subject& subject, MaskGiven given, std::vector<Difference>& differences,
                                const Ask& ask);

}  // namespace lanecheck
