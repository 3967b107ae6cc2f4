// Mistakes in products of integers.
#pragma once

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

std::vector<ValueVariant> product_variants(const Subject& subject);

}  // namespace lanecheck
