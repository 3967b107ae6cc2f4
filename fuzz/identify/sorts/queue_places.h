// Laws of mergesort4: its queues are read from other places of its source.
#pragma once

#include "fuzz/identify/sorts/sort_laws.h"

namespace lanecheck {

std::vector<SortLaw> queue_place_laws();

}  // namespace lanecheck
