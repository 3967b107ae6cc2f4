// lanecheck history: keep the reports of many runs, and say what is new, fixed or flaky.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "fuzz/command/command_line.h"
#include "fuzz/command/report_place.h"
#include "fuzz/command/today.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/history/track_findings.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"

namespace lanecheck {
namespace {

struct HistoryCommand {
  std::string file, report, date, since, version;
};

int add_action(const HistoryCommand& given) {
  const std::string file = report_file(given.report);
  const std::string text = read_input_file(file);
  const SavedReport report = parse_saved_report(text, file);
  const std::string date = date_or_today(given.date, "--date");
  HistoryFile history(given.file, HistoryFile::Open::or_new);
  history.add(text, report, date);
  std::cout << "added " << printable(given.report) << " with the date " << date << ": "
            << counted(history.runs().size(), "run") << " in " << printable(given.file) << '\n';
  return kConforms;
}

void print_run(const DatedReport& run) {
  const SavedReport& report = run.report;
  const auto failing = std::ranges::count_if(
      report.findings, [](const SavedFinding& each) { return each.state != FindingState::conforms; });
  std::cout << run.date << ' ' << printable(report.backend) << " (" << printable(report.about)
            << "), profile " << printable(report.profile) << ", seed " << report.seed << ": "
            << counted(report.done, "case") << ", " << counted(static_cast<std::uint64_t>(failing), "finding")
            << (report.gaps.empty() ? "" : ", incomplete") << '\n';
}

void print_tracked(const TrackedFinding& each) {
  std::cout << name_of(each.trend) << ": " << printable(each.id) << " (" << name_of(each.state) << "), "
            << printable(each.backend) << ", profile " << printable(each.profile) << ": "
            << printable(each.what) << "\n  first seen " << each.first_seen << " ("
            << printable(each.first_version) << "), last seen " << each.last_seen;
  if (each.trend == Trend::fixed)
    std::cout << ", fixed since " << each.since << " (" << printable(each.since_version) << ")";
  std::cout << ", in " << each.runs_with << " of " << counted(each.runs_exercised, "run") << '\n';
}

int show_action(const HistoryCommand& given) {
  if (!given.since.empty()) date_or_today(given.since, "--since");
  const HistoryFile history(given.file, HistoryFile::Open::existing);
  const std::vector<DatedReport> runs = history.runs();
  const auto has_version = [&](const DatedReport& run) { return run.report.about == given.version; };
  if (!given.version.empty() && std::ranges::none_of(runs, has_version))
    throw InputError("--version",
                     "no run is of a backend that says '" + printable(given.version) + "' of itself");
  for (const DatedReport& run : runs)
    if (run.date >= given.since && (given.version.empty() || has_version(run))) print_run(run);
  std::uint64_t listed = 0;
  for (const TrackedFinding& each : track_findings(runs)) {
    const bool in_version = given.version.empty() || each.since_version == given.version;
    if (each.since < given.since || !in_version) continue;
    print_tracked(each);
    ++listed;
  }
  const bool all = given.since.empty() && given.version.empty();
  std::cout << counted(listed, "finding") << (all ? "" : " came or went") << '\n';
  return kConforms;
}

}  // namespace

void add_history(CommandLine& line) {
  line.add("history", "keep the reports of many runs, and say what is new, fixed or flaky")
      .footer(R"(Examples:
  lanecheck run --backend example --json report.json
  lanecheck history add history.sqlite report.json
  lanecheck history show history.sqlite --since 2026-03-01)");
  const auto given = std::make_shared<HistoryCommand>();
  Command add = line.add("history add", "add a report to a history");
  add.text("history", given->file, "the history, an SQLite file; made if it is not there").required();
  add.text("report", given->report, "the JSON report of a run").required();
  add.text("--date", given->date, "the date of the run, as YYYY-MM-DD (default: today by the clock, in UTC)");
  add.action([given] { return add_action(*given); });
  Command show = line.add("history show", "list the runs, and each finding with what became of it");
  show.text("history", given->file, "the history, an SQLite file").required();
  const Argument since =
      show.text("--since", given->since, "only what came or went on this day or later, as YYYY-MM-DD");
  show.text("--version", given->version, "only what came or went with this version of the backend")
      .excludes(since);
  show.footer(R"(Findings are told apart by backend, profile and id:
  new       the last run is the first that has it
  returned  it was fixed, and the last run has it again
  still     the last run has it, and so has the one before
  fixed     it was seen, and the last run that exercised its rules does not have it
  flaky     the same cases on the same version of the backend had it and did not have it)");
  show.action([given] { return show_action(*given); });
}

}  // namespace lanecheck
