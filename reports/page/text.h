// A finding as plain text, for places that show nothing else. The first line is the command.
#pragma once

#include <string>

#include "reports/page/view.h"

namespace lanecheck::page {

/// Command, what the backend does, rules, program, lane map and the first wrong lanes.
std::string finding_text(const ReportView& report, const FindingView& finding);

}  // namespace lanecheck::page
