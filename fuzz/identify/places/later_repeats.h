// Later repeats of an instruction that are written with another repeat stride than the first
// ones.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// "from repeat 4 (counted from 0) on, dst of add.f16 walks with repeat stride 8 instead of 9": if that
/// explains every place that is written and the element that stands there. Nothing if it does not.
std::optional<Difference> later_repeats_moved(const Subject& subject, const PlaceMaps& measured,
                                              const PlaceMaps& documented);

}  // namespace lanecheck
