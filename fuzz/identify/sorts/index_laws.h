// Laws of sort32 and the merges: records in the right order, with another index or score.
#pragma once

#include "fuzz/identify/sorts/sort_laws.h"

namespace lanecheck {

std::vector<SortLaw> index_laws();

}  // namespace lanecheck
