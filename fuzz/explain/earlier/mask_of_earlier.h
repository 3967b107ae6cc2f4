// Tells whether an instruction uses the mask that an earlier one used: a simulator may keep what it made of a
// mask for the next one.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. "cast.u8.f16 uses the mask that
/// the earlier vnot.i16 (instruction 1) used instead of its own, if the low words of the two are the same".
/// This is said if it predicts what the last instruction leaves with other masks and other data too, and if
/// it is right without the earlier one. Nothing if no instruction of `part` is such an earlier one.
std::optional<std::string> mask_of_earlier(const Program& part, AskedBackend& asked,
                                           const Documented& documented);

}  // namespace lanecheck
