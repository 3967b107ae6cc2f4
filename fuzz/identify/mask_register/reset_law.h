// A reset_mask that does not set all slots.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "reset_mask has no effect if, before it, the low word is all ones", or "reset_mask leaves slots 64..127 at
/// 0". An addition after it tells, under masks of many kinds. Nothing if no condition gives all of them, if
/// the reset does something else, or if set_mask does not set all slots either.
std::optional<Difference> reset_law(Profile profile, const Ask& ask);

}  // namespace lanecheck
