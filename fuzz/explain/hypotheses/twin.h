// Two mutants that nothing tells apart as long as the backend does not show its mask register.
#pragma once

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// The other mutant among the suspects that leaves what the first one leaves, in all that the backend shows,
/// after each of many generated programs, though the register is another one. Null if no other one does.
const Hypothesis* twin_of_first(const Suspects& suspects, const Documented& documented, Shown shown);

}  // namespace lanecheck
