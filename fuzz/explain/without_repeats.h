// An instruction that looks at its repeat times although a count decides how many repeats there are.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/suspects.h"

namespace lanecheck {

/// "adds.f16 writes nothing if its repeat times are 0, also for a count of its own": if the last instruction
/// of `part`, which has a count and repeat times of 0, leaves all as it was with any data, and is right with
/// repeat times of 1.
std::optional<std::string> without_repeats(const Program& part, AskedBackend& asked,
                                           const Documented& documented);

}  // namespace lanecheck
