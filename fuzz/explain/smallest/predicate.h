// When does the fault of a finding happen? Widens again from the minimized program.
#pragma once

#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// A sentence that says under which element types, masks, repeat times and strides the fault was seen and
/// under which it was not: "happens for every element type tried (i16, f16); with repeat time 2, 3, not 1".
/// All that it lists was asked. A clause that further questions with other data contradict is left out. Empty
/// if nothing was learnt.
std::string predicate_of(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                         const Documented& documented);

}  // namespace lanecheck
