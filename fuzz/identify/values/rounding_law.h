// How a cast rounds, and what it makes of numbers that do not fit, if one law gives every result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "rounds halves up (towards +infinity) in mode round, instead of away from zero". Nothing for other
/// instructions, or if no law gives all results.
std::optional<std::string> rounding_law(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
