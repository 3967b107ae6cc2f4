// An instruction that takes no notice of counter mode.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// "cmax.f16 ignores the counter mode that set_mask_count sets: it runs its repeat times, and takes the count
/// for the bits of a mask": if the backend leaves what the documents say of the same instruction in normal
/// mode, for several counts and repeat times. Nothing if not, or if the instruction that diverges does not
/// run in counter mode. `before`: the documented state in which it runs.
std::optional<std::string> ignored_mode(const Finding& finding, const State& before, AskedBackend& asked,
                                        const Documented& documented);

}  // namespace lanecheck
