// lanecheck recheck: are the findings of an earlier run still there?
#include "fuzz/recheck/recheck.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/command/options.h"
#include "fuzz/command/report_place.h"
#include "fuzz/command/signals.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/output_file.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

struct RecheckCommand {
  BackendGroup backend;
  std::string report;
  std::vector<std::string> ids;  ///< of findings; empty: all
  std::string json;
};

std::string_view name_of(FindingNow now) {
  return kFindingNowNames[static_cast<std::size_t>(now)];
}

std::string listed(const std::vector<std::string>& ids) {
  return joined(ids, printable);
}

void print(const Rechecked& each) {
  const std::string programs = counted(each.programs, "program");
  std::cout << name_of(each.now) << "  " << printable(each.id) << ": ";
  switch (each.now) {
    case FindingNow::fixed:
      std::cout << "none of " << programs << " shows it";
      if (!each.other.empty()) std::cout << "; some show other findings: " << listed(each.other);
      break;
    case FindingNow::changed:
      std::cout << each.shown_by << " now shows " << listed(each.other) << " (" << programs << ")";
      break;
    case FindingNow::still:
      std::cout << each.shown_by << " shows it";
      break;
    case FindingNow::not_asked:
      std::cout << printable(each.shown_by);
      break;
  }
  std::cout << std::endl;
}

/// `interrupted`: a signal came before all findings were asked.
std::string json_of(const std::vector<Rechecked>& all, const Backend& backend, bool interrupted) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Rechecked& each : all)
    list.push_back({{"id", each.id},
                    {"now", name_of(each.now)},
                    {"programs", each.programs},
                    {"shown_by", each.shown_by},
                    {"other", each.other}});
  const nlohmann::ordered_json json = {{"schema", "lanecheck-recheck-1"},
                                       {"backend", backend.name},
                                       {"about", backend.about},
                                       {"interrupted", interrupted},
                                       {"findings", std::move(list)}};
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::vector<SavedCase> chosen(const SavedCases& run, const std::vector<std::string>& ids) {
  if (ids.empty()) return run.findings;
  std::vector<SavedCase> some;
  for (const std::string& id : ids) some.push_back(case_of(run, id));
  return some;
}

/// A failure of the backend hides what it would have said.
int exit_code_of(const std::vector<Rechecked>& all) {
  if (std::ranges::any_of(all, &Rechecked::failed)) return kFailure;
  const bool all_fixed =
      std::ranges::all_of(all, [](const Rechecked& each) { return each.now == FindingNow::fixed; });
  return all_fixed ? kConforms : kDiverges;
}

int recheck_command(const RecheckCommand& given) {
  handle_stop_signals();
  const SavedCases run = load_saved_cases(report_file(given.report));
  const std::vector<SavedCase> findings = chosen(run, given.ids);
  const Backend backend = stoppable(given.backend.find());
  RunOptions options = options_of(run);
  pin_readings_of(backend, options);
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  std::vector<Rechecked> all;
  bool interrupted = false;
  try {
    for (const SavedCase& each : findings) {
      all.push_back(recheck(run, each, options, backend));
      print(all.back());
    }
  } catch (const Stopped& stopped) {
    std::cout << stopped.what() << " after " << counted(all.size(), "finding") << '\n';
    interrupted = true;
  }
  if (findings.empty()) std::cout << "the report has no findings\n";
  if (json) json->write(json_of(all, backend, interrupted));
  return interrupted ? kFailure : exit_code_of(all);
}

}  // namespace

void add_recheck(CommandLine& line) {
  Command command = line.add("recheck", "say whether the findings of an earlier run are fixed");
  const auto given = std::make_shared<RecheckCommand>();
  command.text("report", given->report, "the JSON report of the run, or its folder").required();
  command.texts("findings", given->ids, "ids of findings; without one, all findings of the report");
  given->backend.declare(command).required();
  command.text("--json,-j", given->json, "write what was found as JSON to this file");
  command.footer(
      R"(For each finding, the backend runs the smallest program, the first case, and 100 fresh programs: the smallest
program with other data, and generated cases with the same instruction and element types. Then the finding is
  fixed      no program shows it
  changed    its programs diverge with another cause
  still      a program shows it; no further one is run
  not asked  the backend skips its smallest program, or its case file cannot be read

After a replay, the first case is a file, which is judged under its own readings. Whether the file itself is wrong
(expectation-...) is not asked.

Examples:
  lanecheck run --backend wrong:cadd-keeps-dst --json report.json
  lanecheck recheck report.json --backend example
  lanecheck recheck night cadd-keeps-dst --backend 'cmd: python3 my_sim.py'

Exit codes: 0 all are fixed, 1 some are not, 2 wrong input, 3 the backend failed, or a signal.
After a signal, --json holds the findings that were asked until then, and "interrupted": true.)");
  command.action([given] { return recheck_command(*given); });
}

}  // namespace lanecheck
