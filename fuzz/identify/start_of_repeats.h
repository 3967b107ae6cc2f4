// Does each repeat of an operand start where another repeat must start?
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// If `difference` says that an operand starts as many data blocks later, or earlier, as its repeat stride
/// is, asks with another repeat stride. If the start follows it, the sentence says so: "starts one repeat
/// stride later". `mask`: under which places are measured.
void name_start_of_other_repeat(const Subject& subject, MaskWords mask, Difference& difference,
                                const Ask& ask);

}  // namespace lanecheck
