// Results that are the only operand, limited from below, from above, or both: "max(src, 1)".
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/values/results_law.h"
#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "computes max(src, 1) instead of max(src, 0)". Nothing if the backend's results are no such limit, or if
/// the documents mean the same one.
std::optional<ResultsLaw> limited_operand(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
