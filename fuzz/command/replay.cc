// lanecheck replay: judge a backend on one case file, on a folder of them, or on one generated case.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "fuzz/command/options.h"
#include "fuzz/command/replayed_files.h"
#include "fuzz/command/signals.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/output_file.h"
#include "reports/terminal.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

struct ReplayCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  SeedGroup seed;
  std::string path;                    ///< case file or folder
  std::optional<std::uint64_t> index;  ///< of a generated case, instead of a file
  std::string json;                    ///< file for the JSON report
  bool strict = false;                 ///< undecided cases count as failures
};

std::vector<std::filesystem::path> files_of(const std::string& path) {
  if (path.empty()) throw InputError("replay", "give a case file, a folder, or --seed and --index");
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(path, "does not exist");
  if (error) throw InputError(path, "cannot be read: " + error.message());
  if (!std::filesystem::is_directory(status)) return {path};
  auto files = case_files(path);
  if (files.empty()) throw InputError(path, "holds no case files (*.json)");
  return files;
}

void print_verdict(const std::string& name, const ReplayVerdict& verdict) {
  std::cout << kVerdictNames[static_cast<std::size_t>(verdict.verdict)] << "  " << printable(name);
  if (!verdict.note.empty()) std::cout << "  (" << printable(verdict.note) << ")";
  std::cout << '\n';
}

/// One bad file does not stop a folder.
void replay_file(const std::filesystem::path& file, Replay& replay) {
  std::optional<Case> c;
  try {
    c = load_case(file);
  } catch (const InputError& error) {
    replay.add_unreadable(error.what());
    std::cout << "unreadable  " << printable(error.what()) << '\n';
    return;
  }
  print_verdict(file.string(), replay.judge_file(file.string(), *c));
}

int replay_command(const ReplayCommand& given) {
  handle_stop_signals();
  RunOptions options = run_options(given.profile.profile(), given.readings, given.seed.seed);
  const Backend backend = stoppable(given.backend.find());
  if (given.index) require_profile(backend, options.mix.profile);  // a file says its own profile
  pin_readings_of(backend, options);
  std::vector<std::filesystem::path> files;
  if (!given.index) files = files_of(given.path);
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  const Style style = style_of(STDOUT_FILENO);
  Replay replay(backend, options, [&](const Finding& finding) { print_finding(std::cout, finding, style); });
  bool interrupted = false;
  try {
    if (given.index)
      print_verdict("case " + std::to_string(*given.index), replay.judge_generated(*given.index));
    for (const auto& file : files) {
      if (stop_requested()) throw Stopped();
      replay_file(file, replay);
    }
  } catch (const Stopped&) {
    interrupted = true;
  }
  Report report = replay.take_report(interrupted, given.index ? 1 : files.size());
  report.strict = given.strict;
  report.arguments = reproducing_arguments(given.backend, given.profile, given.readings);
  print_findings(std::cout, report, style);
  print_tally(std::cout, report, {"case", "cases"}, {"file could not be read", "files could not be read"});
  if (json) json->write(report_text(report));
  return exit_code_of_files(report);
}

}  // namespace

void add_replay(CommandLine& line) {
  Command command =
      line.add("replay", "judge a backend on a case file, a folder of case files, or a generated case");
  const auto given = std::make_shared<ReplayCommand>();
  const Argument path = command.text("path", given->path, "case file or folder");
  const Argument index =
      command.number("--index", given->index, "index of a generated case, instead of a file").excludes(path);
  given->seed.declare(command).needs(index);
  given->profile.declare(command);
  given->readings.declare(command);
  given->backend.declare(command);
  command.text("--json,-j", given->json, "write the JSON report to this file");
  command.flag("--strict", given->strict, "undecided cases count as failures (exit code 1)");
  command.footer(
      R"(A case file says what must come out. If the oracle computes something else, replay says who differs: the
file, the oracle or the backend. A file that cannot be read does not stop a folder; it is named, and the exit
code is 2 if nothing else is wrong.

)" + std::string(kIndexHelp) +
      R"( Without --backend, the backend is example, which offers everything.

Examples:
  lanecheck replay corpus
  lanecheck replay corpus --backend wrong:cadd-keeps-dst --json report.json
  lanecheck replay --seed 1 --index 200017 --backend wrong:mask-advances)" +
      std::string(kExitCodesHelp));
  command.action([given] { return replay_command(*given); });
}

}  // namespace lanecheck
