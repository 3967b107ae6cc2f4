// Further programs on which a finding should show: the data of its smallest program changed, and generated
// cases with the same instruction.
#pragma once

#include <vector>

#include "reports/saved/saved_cases.h"

namespace lanecheck {

/// A program beside those of the run.
struct FreshProgram {
  Program program;
  bool varied = false;  ///< the smallest program with other data, so that the predicate holds; else generated
};

/// At most `most` programs, all legal. Up to half of them are varied. The generated ones come after the first
/// case of the finding and hold its instruction with the same element types. They are the same at each call.
std::vector<FreshProgram> fresh_programs(const SavedCases& run, const SavedCase& finding, std::size_t most);

}  // namespace lanecheck
