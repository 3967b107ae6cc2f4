// What a run in which nothing is wrong says of the faults that it did not show.
#pragma once

#include <string>

#include "reports/report.h"

namespace lanecheck {

/// "a fault that shows in 1 of 100 or more of the drawn programs would have been seen (95%)". Empty if the
/// run drew too few programs, or if anything was skipped, left out, refused, failed, diverged or is
/// undecided.
std::string clean_run_text(const Report& report);

}  // namespace lanecheck
