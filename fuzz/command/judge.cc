// lanecheck judge: judge recorded results, without a backend.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

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

namespace lanecheck {
namespace {

struct JudgeCommand {
  ProfileGroup profile;
  ReadingsGroup readings;
  std::string path;     ///< a file of JSON Lines, a folder, or "-"
  std::string json;     ///< file for the JSON report
  bool strict = false;  ///< undecided cases count as failures
};

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
results of at most 2 GiB are kept; what follows is not read, and is named, too.

Examples:
  lanecheck gen --questions --cases 100 | python3 my_sim.py > answers.jsonl
  lanecheck judge answers.jsonl --json report.json
  lanecheck gen --folder launch --cases 100; ./on_the_chip launch; lanecheck judge launch)" +
      std::string(kExitCodesHelp));
  command.action([given, profile] { return judge_command(*given, profile.given()); });
}

}  // namespace lanecheck
