// Values under a full mask, asked if all maps are as documented: which results are wrong, and what explains
// all of them.
#pragma once

#include "fuzz/probes/probe.h"

namespace lanecheck {

bool has_value_probes(const Row& row);

/// One sentence, or nothing if all values are allowed. A relation is named only if it holds for every probed
/// input; else the sentence is an example.
std::vector<Difference> value_differences(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
