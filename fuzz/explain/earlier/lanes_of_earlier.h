// Tells whether masked-off elements of a reduction are those that an earlier one has left in a buffer.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. Instruction `at` is an earlier
/// one. "masked-off elements of cpadd.f16 count as what stood in their lanes in instruction 1 (cpadd.f16)".
/// Said if that gives all that the backend leaves, also with other data.
std::optional<Carried> lanes_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
