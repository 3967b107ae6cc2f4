// A short formula of an instruction's operands that gives every result of a backend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/values/value_conditions.h"

namespace lanecheck {

/// "computes scalar * old dst + src instead of scalar * src + old dst", or which operands are taken as
/// numbers of the other sign. Nothing if no formula of at most three operands gives all results, or if
/// elements of dst do not stand for single lanes.
std::optional<std::string> formula_that_gives(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
