// Tells whether an instruction runs under a mask that was there before another one was set.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it. "adds.f32 uses the mask that was there before
/// instruction 3 (reset_mask)", and in which case: said if that gives all that the backend leaves, also with
/// other data and after other masks.
std::optional<Carried> mask_of_before(const Program& part, std::size_t at, PredictedPart& predicted,
                                      AskedBackend& asked);

/// Does the last instruction run under a full mask, although one is set and instruction `at` is the first to
/// use it?
bool has_lost_mask(const Program& part, std::size_t at, PredictedPart& predicted, AskedBackend& asked);

}  // namespace lanecheck
