// Tells whether an instruction reads what an earlier one wrote in another state: as it was before, or with
// results in lanes that the mask had left out.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one. "add.f16 reads src0 as it was before instruction 2 (dup.f16) wrote it". Said if that gives all that
/// the backend leaves, also with other data.
std::optional<Carried> source_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
