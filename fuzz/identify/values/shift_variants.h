// What an implementation could do wrong in a shift: another distance, or other bits that come in.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// For shifts with their operands in a row, under a full mask. Else empty.
std::vector<ValueVariant> shift_variants(const Subject& subject);

}  // namespace lanecheck
