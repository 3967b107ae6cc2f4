// Sentences about the places of sources from which the instructions of move_map.h move their elements or
// bits.
#pragma once

#include <vector>

#include "fuzz/identify/places/move_comparison.h"

namespace lanecheck {

/// What differs in the maps of all sources of one instruction, whose places of dst are right. If src0 and
/// src1 differ in the same way, this is said once.
std::vector<Difference> source_differences(const std::vector<MoveComparison>& sources);

}  // namespace lanecheck
