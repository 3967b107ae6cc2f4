// Measures what mask instructions before an instruction do to its gates: an earlier set_mask, reset_mask, and
// the start of a program. Only for profiles in which the mask register gates instructions (VMC).
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

struct StateMaps {
  Measured<GateMap> after_set;                   ///< the gates, if another set_mask came before
  Measured<std::vector<unsigned>> off_at_start;  ///< lanes of repeat 0 that are off if nothing sets the mask
  Measured<std::vector<unsigned>> off_after_reset;  ///< the same after an empty mask and reset_mask
  /// The same after two set_mask of which the second one repeats a word of the first. Not asked if a mask is
  /// wrong without them.
  std::vector<Measured<std::vector<unsigned>>> off_after_same_word;
};

bool has_state_probes(const Subject& subject);
/// Of a subject that meets the first mask, only what the start of a program does is asked.
StateMaps measure_state(const Subject& subject, const Ask& ask);

/// `fresh`: the gates without an earlier set_mask, measured on the same backend.
std::vector<Difference> state_differences(const Subject& subject, const StateMaps& measured,
                                          const StateMaps& documented, const GateMap& fresh, const Ask& ask);

}  // namespace lanecheck
