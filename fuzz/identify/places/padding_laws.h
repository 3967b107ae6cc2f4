// What a backend writes in place of the documented padding under a full mask.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/places/padding_probes.h"

namespace lanecheck {

/// ", in padMode 1": where a rule holds; empty if it holds everywhere.
std::string in_pad_modes(const std::vector<unsigned>& settings);

/// " ignores padSide: it always pads on the left", behind the name of the instruction: the first law that
/// gives all of the series in its `wrong` settings. Nothing if none does.
std::optional<std::string> padding_law(const Subject& subject, const PadSeries& full,
                                       const std::vector<unsigned>& wrong);

}  // namespace lanecheck
