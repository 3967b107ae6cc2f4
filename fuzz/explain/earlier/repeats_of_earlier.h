// Tells whether an instruction in counter mode runs the repeats that an earlier one needed.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one. "adds.i32 runs at most as many repeats in counter mode as the earlier adds.f32 (instruction 1)"; and
/// what ends that. Said if that gives all that the backend leaves, also with other data and other counts.
std::optional<Carried> repeats_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted,
                                          AskedBackend& asked);

}  // namespace lanecheck
