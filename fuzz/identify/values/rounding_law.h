// How a cast rounds, and what it makes of numbers that do not fit, if one law gives every result.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/values/results_law.h"
#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "rounds halves up (towards +infinity) in mode round, instead of away from zero". Nothing for other
/// instructions, or if no law gives all results. `wraps`: where a law may wrap, it does.
std::optional<ResultsLaw> rounding_law(const std::vector<JudgedResult>& results, bool wraps = false);

}  // namespace lanecheck
