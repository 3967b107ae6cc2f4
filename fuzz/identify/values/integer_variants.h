// Mistakes in sums and products of integers, and in the greater or less one of two.
#pragma once

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

std::vector<ValueVariant> integer_variants(const Subject& subject);

}  // namespace lanecheck
