// Identification of the instructions that use the compare mask (fuzz/identify/compare_mask).
#pragma once

#include "fuzz/identify/identify.h"

namespace lanecheck {

/// Is it compare_cmpmask, select_cmpmask, or a copy to or from the compare mask?
bool needs_compare_mask(Op op);

/// What identify() says of them. Maps are those of the instruction whose bits lie in UB. `of_case`: in the
/// shapes for an instruction of a diverging program.
Identification identify_through_compare_mask(const Subject& subject, const Ask& ask, bool of_case);

}  // namespace lanecheck
