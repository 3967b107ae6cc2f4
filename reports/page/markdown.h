// A report as a short Markdown summary, for a job page of GitHub or GitLab.
#pragma once

#include <string>

#include "reports/page/view.h"

namespace lanecheck::page {

std::string markdown(const ReportView& report);

}  // namespace lanecheck::page
