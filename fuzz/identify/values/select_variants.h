// Mistakes of a select in its values: the places of all elements are right.
#pragma once

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// Does the instruction choose between two sources by the bits of an operand?
bool selects_by_operand(const Row& row);

/// Empty for other instructions.
std::vector<ValueVariant> select_variants(const Subject& subject);

}  // namespace lanecheck
