// A reset_mask that has no effect under some masks.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "reset_mask has no effect if, before it, the low word is all ones". An addition after it tells, under
/// masks of many kinds. Nothing if no condition gives all of them, or if the reset does something else.
std::optional<Difference> skipped_reset(Profile profile, const Ask& ask);

}  // namespace lanecheck
