// The difference between a measured gate map and the documented one, in sentences.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// One for each kind of difference; empty if the maps are equal. Lanes of which
/// `skipped` (one for each gate) is true are left out: something else is wrong with them.
std::vector<Difference> gate_differences(const Subject& subject, const GateMap& measured,
                                         const GateMap& documented, const std::vector<bool>& skipped);

/// "0x8000000000000000:0x1": high and low word.
std::string show_words(const MaskWords& words);

}  // namespace lanecheck
