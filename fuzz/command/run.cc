// lanecheck run: generate programs, run them on a backend, report the broken rules.
#include "fuzz/run/run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "fuzz/backend/crash_note.h"
#include "fuzz/command/options.h"
#include "fuzz/command/output_file.h"
#include "fuzz/command/signals.h"
#include "fuzz/doctor/doctor.h"
#include "fuzz/run/differential_run.h"
#include "reports/exit_code.h"
#include "reports/finding_case.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/terminal.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

struct RunCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  WindowGroup window;
  double seconds = 0;
  std::string json;     ///< file for the JSON report
  std::string save;     ///< folder for minimized cases
  std::string against;  ///< a second backend that takes the oracle's place
  bool bitwise = false, illegal = false, no_doctor = false, quiet = false;
  bool fail_fast = false, strict = false, verbose = false;
  std::uint64_t max_findings = RunOptions{}.most_findings;
  std::optional<std::uint64_t> jobs;  ///< how many threads run cases

  /// One for each core, fewer for a short run. A plug-in inside of lanecheck need not be safe for threads.
  std::uint64_t job_count() const {
    if (jobs) return *jobs;
    if (backend.attach.in_process) return 1;
    return std::min<std::uint64_t>(std::max(1u, std::thread::hardware_concurrency()),
                                   1 + window.cases / 1000);
  }
};

RunOptions options_of(const RunCommand& given) {
  given.window.check();
  if (!given.against.starts_with("plugin:")) given.backend.check(given.backend.backend);
  if (given.job_count() == 0) throw InputError("--jobs 0", "give at least 1");
  if (given.job_count() > 1 && given.backend.attach.in_process)
    throw InputError("--jobs", "a plug-in that is loaded into lanecheck (--in-process) runs in one job");
  RunOptions run = run_options(given.profile.profile(), given.readings, given.window.seed);
  run.first = given.window.first;
  run.cases = given.window.cases;
  run.seconds = given.seconds;
  run.most_findings = given.max_findings;
  if (given.illegal) run.illegal_in_32 = 32;
  return run;
}

Backend attach(const RunCommand& given, RunOptions& run) {
  Backend backend = named_backend(given.backend.backend, given.backend.attach);
  require_profile(backend, run.mix.profile);
  pin_readings_of(backend, run);
  return backend;
}

/// The doctor's diagnosis. Nothing if a signal stops the doctor.
std::optional<Diagnosis> diagnosis_of(const Backend& backend) try {
  return examine(stoppable(backend));
} catch (const Stopped&) {
  return {};
}

/// Asks an attached backend the doctor's questions. False if one mistake explains all failures; the run would
/// then say nothing new. What else is wrong goes into `complained`, and on standard output at once.
bool worth_running(const RunCommand& given, RunOptions& run, Backend& backend,
                   std::vector<std::string>& complained) {
  if (given.no_doctor || !backend.processes) return true;
  if (!takes_profile(backend, kQuestionProfile)) return true;
  const std::optional<Diagnosis> asked = diagnosis_of(backend);
  if (!asked) return true;  // a signal stops the run, which then reports that nothing was done
  const Diagnosis& diagnosis = *asked;
  if (diagnosis.one_cause_for_all()) {
    print_diagnosis(std::cout, diagnosis);
    std::cout
        << "Not run: all checks fail for the same reason, shown above. Use --no-doctor to run anyway.\n";
    return false;
  }
  complained = complaints(diagnosis);
  for (const std::string& line : complained) std::cout << "doctor: " << printable(line) << std::endl;
  if (!diagnosis.healthy()) backend = attach(given, run);  // its crashes so far are not crashes of the run
  return true;
}

void clear_line(bool progress) {
  if (progress) std::cerr << "\r\033[K" << std::flush;
}

/// Saves the case of a finding. If that fails the run goes on: the report must not be lost.
void save_finding(const std::string& folder, const Finding& finding, const Readings& readings,
                  bool& failed) try {
  write_new_file(folder, finding.id, print_case(case_of(finding, readings)));
} catch (const std::exception& error) {
  failed = true;
  std::cerr << "lanecheck: --save: " << printable_lines(error.what()) << '\n';
}

/// What happens during a run.
struct Events {
  bool save_failed = false;
  std::atomic<bool> found_enough = false;  ///< --fail-fast, and there is a finding
  std::atomic<bool> over = false;          ///< the run ends: what jobs still wait for ends soon
};

/// Runs on one backend or on two, in one job or in several, each with instances of its own.
Report run_jobs(const RunCommand& given, const RunOptions& options, const Backend& backend,
                const RunHooks& hooks, const Events& events) {
  AttachOptions attach = given.backend.attach;
  attach.stop = [&events] { return stop_requested() || events.over; };
  const std::uint64_t count = given.job_count() > 1 ? given.job_count() : 0;
  if (!given.against.empty()) {
    std::vector<std::pair<Backend, Backend>> jobs;
    for (std::uint64_t n = 0; n < count; ++n)
      jobs.emplace_back(named_backend(given.backend.backend, attach), named_backend(given.against, attach));
    return run_differential(options, backend, named_backend(given.against, given.backend.attach),
                            given.bitwise, hooks, jobs);
  }
  std::vector<Backend> jobs;
  for (std::uint64_t n = 0; n < count; ++n) jobs.push_back(named_backend(given.backend.backend, attach));
  return run(options, backend, hooks, jobs);
}

RunHooks hooks_of(const RunCommand& given, const RunOptions& run, const Style& style, bool progress,
                  Events& events) {
  RunHooks hooks;
  hooks.stop = [&events] { return stop_requested() || events.found_enough; };
  hooks.on_end = [&events] { events.over = true; };
  hooks.on_finding = [&given, &run, &events, style, progress](const Finding& finding) {
    const bool counts = finding.verdict != Verdict::undecided || given.strict;
    if (given.fail_fast && counts) events.found_enough = true;
    clear_line(progress);
    print_finding(std::cout, finding, style);
    std::cout << std::endl;
    if (!given.save.empty()) save_finding(given.save, finding, run.readings, events.save_failed);
  };
  if (given.backend.attach.in_process) hooks.before_batch = note_cases(run.seed);
  if (progress)
    hooks.on_progress = [cases = run.cases, shown = -1.0](std::uint64_t done, double seconds,
                                                          std::size_t findings) mutable {
      if (seconds - shown < 0.1) return;
      shown = seconds;
      std::cerr << '\r' << progress_line(done, cases, seconds, findings) << "\033[K" << std::flush;
    };
  return hooks;
}

int run_command(const RunCommand& given) {
  handle_stop_signals();
  RunOptions options = options_of(given);
  Backend backend = attach(given, options);
  std::vector<std::string> complained;
  if (!worth_running(given, options, backend, complained)) return kFailure;
  if (given.illegal && !backend.reports_refusals)
    throw InputError("run --illegal", printable(backend.name) +
                                          " does not report refusals (reports_refusals in its hello, "
                                          "refuses_illegal of a plug-in), so it cannot be judged on them");
  std::optional<OutputFile> json;
  if (!given.json.empty()) json.emplace(given.json);
  if (!given.save.empty()) make_folder(given.save);
  const Style style = style_of(STDOUT_FILENO);
  const bool progress = !given.quiet && isatty(STDERR_FILENO) != 0;
  Events events;
  const RunHooks hooks = hooks_of(given, options, style, progress, events);
  Report report = run_jobs(given, options, backend, hooks, events);
  clear_line(progress);
  report.strict = given.strict;
  report.doctor = std::move(complained);
  if (events.found_enough && report.interrupted && !stop_requested()) {
    report.interrupted = false;
    report.stopped = "stopped after the first finding, --fail-fast";
  }
  print_summary(std::cout, report, style, given.verbose);
  if (json) json->write(report_text(report));
  const int code = exit_code(report);
  return code == kConforms && (report.interrupted || events.save_failed) ? kFailure : code;
}

}  // namespace

void add_run(CommandLine& line) {
  Command command = line.add("run", "generate programs, run them on a backend, report the broken rules");
  const auto given = std::make_shared<RunCommand>();
  given->window.cases = RunOptions{}.cases;
  given->backend.declare(command);
  given->profile.declare(command);
  given->readings.declare(command);
  given->window.declare(command);
  command.seconds("--seconds", given->seconds,
                  "end the run after this time, also while it analyses a finding; 0: no limit", true);
  command.text("--json,-j", given->json, "write the JSON report to this file");
  command.text("--save", given->save, "save each minimized case into this folder");
  const Argument against = command.text(
      "--against", given->against,
      "compare with this backend instead of the oracle; the report says which of the two the documents "
      "allow");
  command
      .flag("--bitwise", given->bitwise,
            "report also the differences that the documents allow (NaN payloads, an ULP)")
      .needs(against);
  command
      .flag("--illegal", given->illegal,
            "run only programs at the edge of legality: those just inside must run, those just outside must "
            "be refused")
      .excludes(against);
  command.flag(
      "--no-doctor", given->no_doctor,
      "attached backend: do not ask the doctor's questions before the run (what they show wrong stands "
      "in the output and the report, and the run then exits with 1)");
  command.number(
      "--jobs", given->jobs,
      "run cases in this many threads, each with a backend of its own; without it one for each core, "
      "fewer for a short run; the report does not depend on it");
  const Argument most = command.number("--max-findings", given->max_findings,
                                       "analyse at most this many findings", std::uint64_t{1});
  command.flag("--fail-fast", given->fail_fast, "stop after the first finding").excludes(most);
  command.flag("--strict", given->strict,
               "cases that are undecided, because a reading explains them, count as failures (exit code 1)");
  command.flag("--verbose,-v", given->verbose, "show the table of rules and the diversity of the cases");
  command.flag("--quiet,-q", given->quiet, "do not show a progress line");
  command.footer(R"(Examples:
  lanecheck run
  lanecheck run --cases 10000000 --json report.json
  lanecheck run --profile ascendc-a2
  lanecheck run --profile tik --illegal --cases 20000
  lanecheck run --backend wrong:cadd-keeps-dst
  lanecheck run --backend example --against oracle --bitwise
  lanecheck run --reading empty_reduction=writes_neutral)" +
                 std::string(kExitCodesHelp));
  command.action([given] { return run_command(*given); });
}

}  // namespace lanecheck
