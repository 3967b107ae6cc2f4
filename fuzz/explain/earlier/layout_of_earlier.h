// Tells whether an instruction reads its sources where elements of another size would lie, because a backend
// keeps the places of the lanes of an earlier one.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one, whose sources have elements of another size. "cast.f32.f16 reads its sources as if their elements had
/// 4 bytes instead of 2, as those of the earlier add.f32 (instruction 1) have, if both have the same block
/// stride". Said if that gives all that the backend leaves, also with other data.
std::optional<Carried> layout_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
