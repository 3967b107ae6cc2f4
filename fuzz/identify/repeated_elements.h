// The gates of a reduction's elements if they are not the same in all repeats.
#pragma once

#include "fuzz/identify/maps.h"

namespace lanecheck {

/// The gate of one element of one repeat.
struct ElementGate {
  unsigned repeat = 0, lane = 0;
  Gate gate;
};

/// Does a lane have different gates in different repeats?
bool differ_by_repeat(const std::vector<ElementGate>& seen);

/// One difference for each kind of gate that one choice of `repeats` repeats explains; `documented` has the
/// gates of one repeat. An example if no choice does.
std::vector<Difference> repeated_differences(const Subject& subject, const std::vector<ElementGate>& seen,
                                             unsigned repeats, const GateMap& documented);

}  // namespace lanecheck
