// What an implementation could do with a sum of integers that does not fit in their type.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// For reductions that add integers, with their operands in a row, under a full mask. Else empty.
std::vector<ValueVariant> sum_variants(const Subject& subject);

}  // namespace lanecheck
