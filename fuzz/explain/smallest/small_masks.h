// A program that leads the backend outside of dst, with masks that keep it inside.
#pragma once

#include <optional>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Are all masks of its instructions counts that stay inside of dst, too?
bool has_small_masks(const Program& program);

/// A counter mode that stays on takes the mask of a later instruction for a count of up to 2^32 - 1: this
/// leads the backend far outside of dst and takes it long, so that little can be asked. The program with
/// small masks, if it led outside and diverges inside of dst now.
std::optional<Program> with_small_masks(const Program& program, AskedBackend& asked,
                                        const Documented& documented);

}  // namespace lanecheck
