// What a reduction does instead of what is documented, in sentences.
#pragma once

#include "fuzz/identify/probes/reduction_map.h"

namespace lanecheck {

/// The first of neutral element, elements and written results that differs.
std::vector<Difference> reduction_differences(const Subject& subject, const ReductionMap& measured,
                                              const ReductionMap& documented);

/// What the contributions show if they differ from the documented ones.
std::vector<Difference> contribution_differences(const Subject& subject, const Contributions& measured);

/// "cmax.f16 gives -65504 where all elements are less ..."; empty if the result is the element.
std::vector<Difference> equal_elements_differences(const Subject& subject, const EqualElements& measured);

}  // namespace lanecheck
