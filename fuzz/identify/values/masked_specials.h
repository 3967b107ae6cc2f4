// Does an infinite or NaN element of a masked-off lane change a result? It does if an implementation
// multiplies by the mask instead of choosing.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// One sentence, if it predicts every result of all probes. Asked if finite elements give what the documents
/// say.
std::vector<Difference> masked_special_differences(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
