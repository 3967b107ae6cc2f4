// Mistakes of a select in its values: the places of all elements are right.
#pragma once

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// Empty for other instructions.
std::vector<ValueVariant> select_variants(const Subject& subject);

}  // namespace lanecheck
