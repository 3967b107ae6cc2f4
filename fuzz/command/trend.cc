#include "fuzz/command/trend.h"

#include <algorithm>

#include "fuzz/command/today.h"
#include "reports/format.h"
#include "reports/history/track_findings.h"

namespace lanecheck {
namespace {

/// Does the history have this run of today already? A run that goes on after it was killed late adds itself a
/// second time.
bool is_same(const DatedReport& run, const SavedReport& report, const std::string& date) {
  const SavedReport& old = run.report;
  const auto same = [](const SavedFinding& one, const SavedFinding& other) {
    return one.id == other.id && one.state == other.state && one.cases == other.cases;
  };
  return run.date == date && old.backend == report.backend && old.about == report.about &&
         old.profile == report.profile && old.seed == report.seed && old.first == report.first &&
         old.done == report.done && std::ranges::equal(old.findings, report.findings, same);
}

/// The same cases on the same backend. Runs at the edges of legality have other findings than the others.
bool is_of(const SavedReport& report, const page::ReportView& view) {
  return report.backend == view.backend && report.profile == view.profile && report.seed == view.seed &&
         report.first == view.first && report.planned == view.planned;
}

bool is_known(Trend trend) {
  return trend == Trend::still || trend == Trend::flaky;
}

std::string sentence(const TrackedFinding& each) {
  const std::string runs =
      ", in " + std::to_string(each.runs_with) + " of " + counted(each.runs_exercised, "run");
  const std::string first = each.first_seen + " (" + each.first_version + ")";
  switch (each.trend) {
    case Trend::fresh:
      return "No earlier run has it.";
    case Trend::returned:
      return "It was fixed, and is back. First seen " + first + runs + ".";
    case Trend::still:
      return "First seen " + first + runs + ".";
    case Trend::fixed:
      return each.id + ": " + each.what + ". Last seen " + each.last_seen + ", fixed since " + each.since +
             " (" + each.since_version + ").";
    case Trend::flaky:
      return "Flaky: the same cases on the same version of the backend had it and did not have it. First "
             "seen " +
             first + runs + ".";
  }
  return {};
}

std::uint64_t failing(const SavedReport& report) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      report.findings, [](const SavedFinding& each) { return each.state != FindingState::conforms; }));
}

}  // namespace

std::vector<DatedReport> add_to_history(const std::string& file, const std::string& report_text) {
  const SavedReport report = parse_saved_report(report_text, "this run");
  const std::string date = date_or_today("", "--history");
  HistoryFile history(file, HistoryFile::Open::or_new);
  std::vector<DatedReport> runs = history.runs();
  if (std::ranges::any_of(runs, [&](const DatedReport& run) { return is_same(run, report, date); }))
    return runs;
  history.add(report_text, report, date);
  return history.runs();
}

void show_trend(const std::vector<DatedReport>& runs, page::ReportView& view) {
  std::vector<DatedReport> own;
  for (const DatedReport& run : runs)
    if (is_of(run.report, view)) own.push_back(run);
  for (const DatedReport& run : own)
    view.trend.runs.push_back({run.date, run.report.about, run.report.done, failing(run.report)});
  if (own.size() < 2) return;
  const std::vector<TrackedFinding> before = track_findings({own.begin(), own.end() - 1});
  const auto was_fixed = [&](const TrackedFinding& now) {
    const auto old = std::ranges::find(before, now.id, &TrackedFinding::id);
    return old != before.end() && old->trend == Trend::fixed;
  };
  for (const TrackedFinding& each : track_findings(own)) {
    const auto here = std::ranges::find(view.findings, each.id, &page::FindingView::id);
    if (here != view.findings.end()) {
      here->trend = sentence(each);
      here->is_new = !is_known(each.trend);
    } else if (each.trend != Trend::fixed) {
      view.trend.not_judged.push_back(each.id + ": " + each.what + ". Last seen " + each.last_seen + ".");
    } else if (!was_fixed(each)) {
      view.trend.gone.push_back(sentence(each));
    }
  }
}

}  // namespace lanecheck
