// A report in the light of the history of earlier runs.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history_file.h"
#include "reports/page/view.h"

namespace lanecheck {

/// Adds the report to the history, with the date of today, except if a run with the same findings, cases and
/// backend was added today. Returns all runs of the history.
std::vector<DatedReport> add_to_history(const std::string& file, const std::string& report_text);

/// Shows in `view` what became of its findings over the runs of the same cases on its backend. The last of
/// these runs is the report itself.
void show_trend(const std::vector<DatedReport>& runs, page::ReportView& view);

}  // namespace lanecheck
