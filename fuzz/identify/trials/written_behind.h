// Instructions that write more than they must: behind their results, in each repeat.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cadd.f16 writes 0 into the 2 bytes behind the results of each repeat", or the element before them, or the
/// lane of an extreme: said if it gives all that several shapes leave, where each repeat writes its results
/// and then the bytes. Nothing if no law fits.
std::optional<Difference> written_behind(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
