// Laws of sort32 and the merges: some scores alone are looked at, and the records taken for sorted already.
#pragma once

#include "fuzz/identify/sorts/sort_laws.h"

namespace lanecheck {

/// `sorts`: of sort32.
std::vector<SortLaw> short_cut_laws(bool sorts);

}  // namespace lanecheck
