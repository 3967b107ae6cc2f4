// Tells whether the count of an earlier instruction still counts for a later one.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one. "vmax.f32 writes nothing after the earlier vmax.f16 (instruction 3), as if it had used up the count
/// in the register"; or its last repeat has no more lanes than the last one of the earlier count. Said if
/// that gives all that the backend leaves, also with other data and other counts.
std::optional<Carried> count_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
