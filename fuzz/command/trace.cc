// lanecheck trace: judge the vector instructions that a user's kernel executed.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

#include "fuzz/command/options.h"
#include "fuzz/command/replayed_files.h"
#include "fuzz/command/signals.h"
#include "fuzz/trace/judge_trace.h"
#include "reports/exit_code.h"
#include "reports/finding_case.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/output_file.h"
#include "reports/terminal.h"

namespace lanecheck {
namespace {

struct TraceCommand {
  ProfileGroup profile;
  ReadingsGroup readings;
  std::string path;     ///< a file of JSON Lines, or "-"
  std::string json;     ///< file for the JSON report
  std::string save;     ///< folder for the first wrong step of each finding
  bool strict = false;  ///< undecided steps count as failures
};

/// Saves the first wrong step of each finding as a case file. Returns false if that fails.
bool save_steps(const std::string& folder, const Report& report) try {
  for (const Finding& each : report.findings)
    write_new_file(folder, each.id, print_case(case_of(each, report.readings)));
  return true;
} catch (const std::exception& error) {
  std::cerr << "lanecheck: --save: " << printable_lines(error.what()) << '\n';
  return false;
}

int trace_command(const TraceCommand& given, bool names_profile) {
  handle_stop_signals();
  const auto wanted = names_profile ? std::optional(given.profile.profile()) : std::nullopt;
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  if (!given.save.empty()) make_folder(given.save);
  TraceReader reader(given.path, wanted);
  const Style style = style_of(STDOUT_FILENO);
  Report report =
      judge_trace(reader, run_options(reader.start().profile, given.readings), hooks_that_print(style));
  report.strict = given.strict;
  for (const std::string& fault : report.unreadable) std::cout << "unreadable  " << printable(fault) << '\n';
  for (const std::string& why : report.skip_reasons) std::cout << "skipped  " << printable(why) << '\n';
  print_findings(std::cout, report, style);
  print_tally(std::cout, report, {"step", "steps"}, {"fault in the trace", "faults in the trace"});
  const bool saved = given.save.empty() || save_steps(given.save, report);
  if (json) json->write(report_text(report));
  const int code = exit_code_of_files(report);
  return code == kConforms && !saved ? kFailure : code;
}

}  // namespace

void add_trace(CommandLine& line) {
  Command command = line.add("trace", "judge the vector instructions that a kernel of your own executed");
  const auto given = std::make_shared<TraceCommand>();
  command.text("path", given->path, "file of executed instructions (JSON Lines; -: standard input)")
      .required();
  const Argument profile = given->profile.declare(command);
  given->readings.declare(command);
  command.text("--json,-j", given->json, "write the JSON report to this file");
  command.text("--save", given->save, "save the first wrong step of each finding into this folder");
  command.flag("--strict", given->strict, "undecided steps count as failures (exit code 1)");
  command.footer(
      R"(The first line of a trace has the profile and UB at the start. Each further line is one executed instruction with
the bytes of UB that it wrote, and if you like the mask that it met. lanecheck executes each instruction alone, from the
state that the trace had before it, so that one fault does not hide the next. fuzz/trace/format.md describes the lines;
in Python, lanecheck.record writes them. A line that cannot be read is named, and the steps before it are judged; the
exit code is 2 if nothing else is wrong. An illegal step is skipped, and the first one of each kind is named.

Examples:
  lanecheck trace kernel.jsonl --json report.json
  lanecheck trace kernel.jsonl --save wrong-steps; lanecheck replay wrong-steps --backend 'cmd: python3 my_sim.py')" +
      std::string(kExitCodesHelp));
  command.action([given, profile] { return trace_command(*given, profile.given()); });
}

}  // namespace lanecheck
