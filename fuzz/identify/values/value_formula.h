// A short formula of an instruction's operands that gives every result of a backend.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/values/condition_list.h"
#include "fuzz/identify/values/results_law.h"

namespace lanecheck {

/// "computes scalar * old dst + src instead of scalar * src + old dst", or which operands are taken as
/// numbers of the other sign. Nothing if no formula of at most three operands gives all results, or if
/// elements of dst do not stand for single lanes.
std::optional<ResultsLaw> formula_that_gives(const std::vector<JudgedResult>& results);

/// "src0 + src1 does not fit into i16". Nothing for floats, or if no formula gives the documented results.
std::optional<Condition> too_large_a_result(const std::vector<JudgedResult>& results);

}  // namespace lanecheck
