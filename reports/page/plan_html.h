// The page of a plan: all of its runs, what is new, and where their pages stand.
#pragma once

#include <string>
#include <vector>

#include "reports/page/view.h"

namespace lanecheck::page {

struct PlannedPage {
  std::string name;      ///< of the run, and of its folder
  bool pending = false;  ///< it is not done yet
  std::string skipped;   ///< why the run is left out; empty if it is not
  ReportView report;     ///< of a run that is done
};

/// One HTML page for the folder of a plan.
std::string plan_html(const std::string& plan, const std::string& about,
                      const std::vector<PlannedPage>& runs);

}  // namespace lanecheck::page
