// A report in the light of the history of earlier runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/history/history_file.h"
#include "reports/page/view.h"

namespace lanecheck {

/// The runs of a history, and which of them is the one that is shown.
struct History {
  std::vector<DatedReport> runs;
  std::optional<std::size_t> own;  ///< empty: the history does not have the run
};

/// Adds the report to the history, with the date of today, except if a run with the same findings, cases and
/// backend was added today.
History add_to_history(const std::string& file, const std::string& report_text);

/// The last run of `runs` that is this report.
std::optional<std::size_t> find_run(const std::vector<DatedReport>& runs, const SavedReport& report);

/// Shows in `view` what became of its findings over the runs of the same cases on its backend, up to its own
/// run. Shows nothing if the history does not have this run.
void show_trend(const History& history, page::ReportView& view);

}  // namespace lanecheck
