// For which data a comparison gives the wrong bit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "is true in modes le and ge if an operand is NaN". Nothing if the instruction does not compare, or if no
/// such sentence predicts every result.
std::optional<std::string> compare_law(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
