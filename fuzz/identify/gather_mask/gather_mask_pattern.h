// Laws of gather_mask that are measured: which bit of the user pattern decides about each element, and which
// fixed pattern is executed in place of another one.
#pragma once

#include "fuzz/identify/gather_mask/gather_mask_laws.h"

namespace lanecheck {

/// A call, what the backend does with it, and what it should do.
struct GatherComparison {
  GatherCall call;
  Gathered is, should;

  bool differs() const { return is != should; }
};

/// Which bit of the user pattern decides about each element of a repeat, if a single other one does: two ways
/// in which elements go on behind a whole repeat.
std::vector<GatherLaw> measured_bits_laws(const Subject& plain, const Ask& ask);

/// "exchanges fixed patterns 4 and 5", "executes fixed pattern 3 as 4, 4 as 5": if in all calls for which
/// `condition` holds another pattern is executed in place of each one that is wrong.
std::optional<GatherLaw> measured_patterns_law(const std::vector<GatherComparison>& all,
                                               const GatherCondition& condition);

}  // namespace lanecheck
