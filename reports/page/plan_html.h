// The page of a plan: all of its runs, what is new, and where their pages stand.
#pragma once

#include <string>
#include <vector>

#include "reports/page/view.h"

namespace lanecheck::page {

struct PlannedPage {
  std::string name;     ///< of the run, and of its folder
  std::string skipped;  ///< why the run was not done, or not yet; empty if it was done
  ReportView report;
};

/// One HTML page for the folder of a plan.
std::string plan_html(const std::string& plan, const std::string& about,
                      const std::vector<PlannedPage>& runs);

}  // namespace lanecheck::page
