// Does an instruction write its results into one of its sources, too?
#pragma once

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "vmin.f16 writes its results into src0, too, whatever the mask is, if src0 lies in a row". Nothing if the
/// backend does something else, or if no source stands for the same lanes as dst.
std::optional<Difference> written_source(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
