// Mistakes in arithmetic that change the elements themselves: before they are read, or after they are
// computed.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// Subnormal numbers as 0, integers as unsigned or signed numbers, integers as floats. For instructions with
/// their operands in a row, under a full mask.
std::vector<ValueVariant> element_variants(const Subject& subject);

/// Is each result one of the elements, or does it tell which one is greater?
bool chooses_elements(Op op);

}  // namespace lanecheck
