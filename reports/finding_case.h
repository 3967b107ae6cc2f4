// A finding as a case file: what `--save` writes and the JSON report carries.
#pragma once

#include "corpus/case.h"
#include "reports/report.h"

namespace lanecheck {

/// `readings` are those that the run judged by; the expected outcome holds under them.
Case case_of(const Finding& finding, const Readings& readings);

}  // namespace lanecheck
