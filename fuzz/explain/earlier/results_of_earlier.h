// Tells whether a result that must not be written gets what an earlier reduction had there.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one. "cgmax.i32 writes, as a result of no active lane, the result that instruction 1 (cgmax.i32) had
/// there, instead of keeping dst". Said if that gives all that the backend leaves, also with other data.
std::optional<Carried> results_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
