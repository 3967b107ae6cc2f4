// For which data a comparison gives the wrong bit.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/values/results_law.h"
#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "is true in modes le and ge if an operand is NaN". Nothing if the instruction does not compare, or if no
/// such sentence predicts every result.
std::optional<ResultsLaw> compare_law(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
