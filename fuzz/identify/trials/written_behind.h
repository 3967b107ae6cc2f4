// Instructions that write more than they must: behind their results, in each repeat.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cadd.f16 writes 2 bytes of 0 behind the results of each repeat": said if it gives all that several shapes
/// leave, where each repeat writes its results and then the bytes. Nothing if no law fits.
std::optional<Difference> written_behind(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
