// A finding as a case file: what `--save` writes and the JSON report carries.
#pragma once

#include "corpus/case.h"
#include "reports/report.h"

namespace lanecheck {

/// `readings` are the readings of the run. The expected outcome of the case holds under them.
Case case_of(const Finding& finding, const Readings& readings);

}  // namespace lanecheck
