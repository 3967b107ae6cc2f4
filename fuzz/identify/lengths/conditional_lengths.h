// Rules for numbers of elements of two parts: for which numbers they hold, and what happens then. The first n
// elements take part for all other numbers.
#pragma once

#include "fuzz/identify/lengths/length_rules.h"

namespace lanecheck {

/// Each effect under each condition, the plainest conditions first.
std::vector<LengthRule> conditional_lengths(const Subject& subject, MaskGiven given,
                                            const LengthMap& measured);

}  // namespace lanecheck
