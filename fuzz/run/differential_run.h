// Two backends against each other, for those who trade an old simulator for a new one. The oracle does not
// decide what differs; it only says afterwards which of the two results the documents allow.
#pragma once

#include "fuzz/run/run.h"

namespace lanecheck {

/// Runs both on the same programs. A finding for each instruction on which they differ in more than the
/// documents leave free: there one of them, or both, are wrong. Where the documents allow both results (NaN
/// payloads, an ULP, a sum in another order) the case is `undecided` and only counted; with `bitwise` every
/// differing bit is a finding. In the findings "expected" is what `other` left.
Report run_differential(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                        const RunHooks& hooks = {});

}  // namespace lanecheck
