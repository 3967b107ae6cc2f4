// An instruction that is not executed because of the one before it.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/questions/predicted_part.h"

namespace lanecheck {

/// `program` with reset_mask before instruction `at`: all slots are 1 there.
Program with_reset_before(Program program, std::size_t at);

/// "sub.u8 does nothing behind the earlier cmax.f32 (instruction 2), if that has no active lane":
/// whatever the data are, and under a full mask, too. Nothing if an instruction between
/// `at` and the last one does more than set the mask.
std::optional<Carried> skipped_behind(const Program& part, std::size_t at, PredictedPart& predicted);

}  // namespace lanecheck
