// What an implementation could do to an f16 result that lies between two f16 numbers.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// For instructions with results of f16, except casts, whose mode says how they round (rounding_law.h). All
/// results are rounded in the same way, also those between (products, partial sums). Else empty.
std::vector<ValueVariant> half_rounding(const Subject& subject);

}  // namespace lanecheck
