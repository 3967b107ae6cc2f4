#include "fuzz/command/trend.h"

#include <algorithm>

#include "fuzz/command/today.h"
#include "reports/format.h"
#include "reports/history/track_findings.h"

namespace lanecheck {
namespace {

/// The same cases on the same backend, judged in the same way.
bool has_same_cases(const SavedReport& one, const SavedReport& other) {
  return one.backend == other.backend && one.profile == other.profile && one.judged == other.judged &&
         one.seed == other.seed && one.first == other.first && one.done == other.done;
}

bool is_same(const SavedReport& one, const SavedReport& other) {
  const auto same = [](const SavedFinding& left, const SavedFinding& right) {
    return left.id == right.id && left.state == right.state && left.cases == right.cases;
  };
  return has_same_cases(one, other) && one.about == other.about &&
         std::ranges::equal(one.findings, other.findings, same);
}

std::optional<std::size_t> find_run(const std::vector<DatedReport>& runs, const SavedReport& report,
                                    const std::string& date) {
  for (std::size_t n = runs.size(); n > 0; --n)
    if ((date.empty() || runs[n - 1].date == date) && is_same(runs[n - 1].report, report)) return n - 1;
  return {};
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

/// A run that was killed after it was added, and is resumed, must not be added again.
History add_to_history(const std::string& file, const std::string& report_text) {
  const SavedReport report = parse_saved_report(report_text, "this run");
  const std::string date = date_or_today("", "--history");
  HistoryFile history(file, HistoryFile::Open::or_new);
  if (!find_run(history.runs(), report, date)) history.add(report_text, report, date);
  std::vector<DatedReport> runs = history.runs();
  const std::optional<std::size_t> own = find_run(runs, report, date);
  return {std::move(runs), own};
}

std::optional<std::size_t> find_run(const std::vector<DatedReport>& runs, const SavedReport& report) {
  return find_run(runs, report, "");
}

void show_trend(const History& history, page::ReportView& view) {
  if (!history.own) return;
  const SavedReport& shown = history.runs.at(*history.own).report;
  std::vector<DatedReport> own;
  for (std::size_t n = 0; n <= *history.own; ++n)
    if (has_same_cases(history.runs[n].report, shown)) own.push_back(history.runs[n]);
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
