// Where a reduction writes its results, if each result is right and the place is not.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "results of a repeat of cgadd.f16 are written in reverse order": the order of places that explains every
/// byte under a few masks, of which some leave whole data blocks off. Nothing if the backend is right there,
/// or if no order explains it.
std::optional<Difference> result_places_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
