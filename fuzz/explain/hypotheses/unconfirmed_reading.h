// A reading that fits a case by coincidence.
#pragma once

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Does the reading say something else than the documents of `program` under full masks, and does the backend
/// conform there? Ask this of a reading that no further question has confirmed: what depends on the mask,
/// and is right without it, is no answer to a question about values.
bool is_refuted_under_full_masks(const Hypothesis& reading, const Program& program, AskedBackend& asked,
                                 const Documented& documented);

}  // namespace lanecheck
