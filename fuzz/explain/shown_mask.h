// A backend that shows another mask at the end of a program than the one that its instructions obey.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Names the finding so if all of UB is right, the shown mask is wrong, and an instruction behind the program
/// that has a lane for each slot obeys the documented mask. False if not, or if the backend shows no mask.
bool is_named_by_shown_mask(Finding& finding, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
