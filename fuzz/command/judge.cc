// lanecheck judge: judge recorded results, without a backend.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "fuzz/command/options.h"
#include "fuzz/command/replayed_files.h"
#include "fuzz/command/signals.h"
#include "fuzz/recorded/judge_recording.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/output_file.h"
#include "reports/terminal.h"
#include "spec/program/input_error.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

struct JudgeCommand {
  ProfileGroup profile;
  ReadingsGroup readings;
  std::string path;     ///< a file of JSON Lines, a folder, or "-"
  std::string json;     ///< file for the JSON report
  bool strict = false;  ///< undecided cases count as failures
};

/// Why records were skipped, the most frequent reasons first.
void print_skipped(const Recording& recording, const Report& report) {
  constexpr std::size_t kMost = 6;
  std::map<std::string, std::uint64_t> by_reason;
  std::uint64_t recorded = 0;
  for (const Record& each : recording.records)
    if (const auto* skipped = std::get_if<Skipped>(&each.outcome); skipped != nullptr && ++recorded > 0)
      ++by_reason[skipped->why];
  if (report.skipped > recorded && !report.interrupted)
    by_reason["illegal programs, and the recording refuses no program"] += report.skipped - recorded;
  std::vector<std::pair<std::string, std::uint64_t>> reasons(by_reason.begin(), by_reason.end());
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &std::pair<std::string, std::uint64_t>::second);
  for (std::size_t n = 0; n < std::min(kMost, reasons.size()); ++n)
    std::cout << "skipped " << reasons[n].second << ": " << printable(reasons[n].first) << '\n';
  if (reasons.size() > kMost) std::cout << "and " << reasons.size() - kMost << " more reasons\n";
  if (recorded > 0 && report.skipped < report.done)
    std::cout
        << "`lanecheck gen --questions --only add,cadd.f16` asks only for the instructions that are named\n";
}

/// Which of the rules the records have exercised. `of`: which rules these are.
void print_judged(const std::vector<RuleCount>& rules, std::string_view of, std::string_view but_not) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> missing;
  for (const RuleCount& rule : rules)
    if (rule.exercised == 0 && rule.broken == 0) missing.push_back(rule.id);
  const std::size_t all = rules.size();
  std::cout << all - missing.size() << " of " << counted(all, "rule") << of << " judged";
  if (!missing.empty()) std::cout << but_not;
  const std::size_t shown = std::min(kMost, missing.size());
  std::cout << joined(std::span(missing).first(shown));
  if (missing.size() > shown) std::cout << " and " << missing.size() - shown << " more";
  std::cout << '\n';
}

void print_rules(const Report& report) {
  print_judged(report.rules, "", "; no record that ran exercises ");
  const bool some = std::ranges::any_of(report.legality_rules, &RuleCount::exercised);
  if (some) print_judged(report.legality_rules, " of legality", "; no record breaks ");
}

int judge_command(const JudgeCommand& given, bool names_profile) {
  handle_stop_signals();
  const auto wanted = names_profile ? std::optional(given.profile.profile()) : std::nullopt;
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  const Recording recording = read_recording(given.path, wanted);
  for (const std::string& fault : recording.faults) std::cout << "unreadable  " << printable(fault) << '\n';
  if (recording.records.empty()) throw InputError(given.path, "holds no record that can be read");
  const Style style = style_of(STDOUT_FILENO);
  Report report =
      judge_recording(recording, run_options(recording.profile, given.readings), hooks_that_print(style));
  report.strict = given.strict;
  print_findings(std::cout, report, style);
  print_tally(std::cout, report, {"record", "records"},
              {"fault in the recording", "faults in the recording"});
  print_skipped(recording, report);
  print_rules(report);
  if (json) json->write(report_text(report));
  return exit_code_of_files(report);
}

}  // namespace

void add_judge(CommandLine& line) {
  Command command = line.add("judge", "judge recorded results of a simulator or chip, without a backend");
  const auto given = std::make_shared<JudgeCommand>();
  command.text("path", given->path, "file of recorded results (JSON Lines; -: standard input), or folder")
      .required();
  const Argument profile = given->profile.declare(command);
  given->readings.declare(command);
  command.text("--json,-j", given->json, "write the JSON report to this file");
  command.flag("--strict", given->strict, "undecided cases count as failures (exit code 1)");
  command.footer(
      R"(`lanecheck gen --questions` writes the programs as JSON Lines; a result is the same line with one more field: ran,
refused, skipped or errored, as in the backend protocol. `lanecheck gen --folder DIR` writes manifest.json and
input.bin, and the final UBs come back as output.bin. Without --profile, the first record says the profile. A line
that cannot be read is named, and the others are judged; the exit code is 2 if nothing else is wrong. Programs and
results of at most 2 GiB are kept; what follows is not read, and is named, too. If every record is skipped, nothing
was judged, and the exit code is 3, except if there are such lines.

Examples:
  lanecheck gen --questions --cases 100 | python3 my_sim.py > answers.jsonl
  lanecheck judge answers.jsonl --json report.json
  lanecheck gen --folder launch --cases 100; ./on_the_chip launch; lanecheck judge launch)" +
      std::string(kExitCodesHelp));
  command.action([given, profile] { return judge_command(*given, profile.given()); });
}

}  // namespace lanecheck
