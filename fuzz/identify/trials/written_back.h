// Masked-off lanes that write: they put back what stood in dst earlier, over what another lane wrote there.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Shows where the places of several lanes of dst are one, so that a lane that is off may lie where another
/// lane has written. Nothing if such lanes are right.
std::optional<Difference> written_back_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
