// Masks that cover: for any few slots, every combination of their values stands in at least one of the masks.
#pragma once

#include <functional>
#include <vector>

#include "spec/mask/mask_register.h"

namespace lanecheck {

inline constexpr unsigned kLeastStrength = 2, kMostStrength = 4;

/// Masks that hold every combination of values of any `strength` of the first `slots` slots. All other slots
/// are 0. The masks are the same on every machine. `slots` is at most 128, `strength` is 2, 3 or 4.
/// Of strength 4 it takes about a second: `between`, if there, is called often meanwhile, and may throw.
std::vector<MaskWords> covering_masks(unsigned slots, unsigned strength,
                                      const std::function<void()>& between = {});

}  // namespace lanecheck
