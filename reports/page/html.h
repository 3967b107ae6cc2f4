// A report as one HTML file, which needs no network and is readable without scripts.
#pragma once

#include <string>

#include "reports/page/view.h"

namespace lanecheck::page {

/// At most 5 MB for 10,000 findings: the first findings are shown in full, the others as a line of the list.
std::string html(const ReportView& report);

}  // namespace lanecheck::page
