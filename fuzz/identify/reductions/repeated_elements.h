// The gates of a reduction's elements if they are not the same in all repeats.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// One difference for each kind of gate that one choice of `repeats` repeats explains; `documented` has the
/// gates of one repeat. An example if no choice does.
std::vector<Difference> repeated_differences(const Subject& subject, const std::vector<ElementGate>& seen,
                                             unsigned repeats, const GateMap& documented);

}  // namespace lanecheck
