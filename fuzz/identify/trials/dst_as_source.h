// Does an instruction that moves elements take them from dst instead of from its source?
#pragma once

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "gather.u16 takes its elements from dst instead of from src". Nothing if the backend does not do that in
/// one repeat with different data.
std::optional<Difference> dst_as_source(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
