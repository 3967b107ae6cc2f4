// Laws of sort32 and the merges: records that are not sorted, not taken or not written.
#pragma once

#include "fuzz/identify/sorts/sort_laws.h"

namespace lanecheck {

/// `sorts`: of sort32, whose laws speak of its records one by one.
std::vector<SortLaw> left_record_laws(bool sorts);

}  // namespace lanecheck
