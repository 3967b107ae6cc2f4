// Further programs on which a finding should show: the data of its smallest program changed, and generated
// cases with the same instruction.
#pragma once

#include <vector>

#include "fuzz/backend/capabilities.h"
#include "reports/saved/saved_cases.h"

namespace lanecheck {

/// A program beside those of the run.
struct FreshProgram {
  Program program;
  bool varied = false;  ///< the smallest program with other data, so that the predicate holds; else generated
};

/// At most `most` programs, all legal. Up to half of them are varied. The generated ones come after the first
/// case of the finding and hold its instruction with the same element types. Instructions that are
/// not `offered` are left out of them.
std::vector<FreshProgram> fresh_programs(const SavedCases& run, const SavedCase& finding,
                                         const Capabilities& offered, std::size_t most);

}  // namespace lanecheck
