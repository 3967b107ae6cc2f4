#include "fuzz/command/run_session.h"

#include <unistd.h>

#include <atomic>
#include <iostream>
#include <optional>

#include "fuzz/backend/crash_note.h"
#include "fuzz/backend/stopwatch.h"
#include "fuzz/bundle/bundle.h"
#include "fuzz/certificate/certify_profile.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/today.h"
#include "fuzz/command/trend.h"
#include "fuzz/doctor/doctor.h"
#include "fuzz/run/differential_run.h"
#include "reports/exit_code.h"
#include "reports/finding_case.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/known/check_known_failures.h"
#include "reports/output_file.h"
#include "reports/page/html.h"
#include "reports/page/junit.h"
#include "reports/page/markdown.h"
#include "reports/saved/saved_report.h"
#include "reports/terminal.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

/// --seconds, counted from the first case to the last one. It also ends the wait for a program that runs
/// then.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}

  void start() { watch_.emplace(); }
  void end() { watch_.reset(); }  // what is asked later is not limited
  double spent() const { return watch_ ? watch_->seconds() : 0; }
  bool is_over() const { return seconds_ > 0 && spent() >= seconds_; }

 private:
  double seconds_;
  std::optional<Stopwatch> watch_;
};

/// `limit` must outlive the backend.
Backend limited_backend(const std::string& name, const RunSettings& settings, const TimeLimit& limit) {
  AttachOptions options = settings.backend.attach;
  options.stop = [&limit] { return stop_requested() || limit.is_over(); };
  return named_backend(name, options);
}

Backend attach(const RunSettings& settings, RunOptions& run, const TimeLimit& limit) {
  Backend backend = limited_backend(settings.backend.backend, settings, limit);
  require_profile(backend, run.mix.profile);
  pin_readings_of(backend, run);
  return backend;
}

/// The doctor's diagnosis for the profile of the run. Nothing if a signal stops the doctor.
std::optional<Diagnosis> diagnosis_of(const Backend& backend, Profile profile) try {
  return examine(stoppable(backend), {profile});
} catch (const Stopped&) {
  return {};
}

/// Asks an attached backend the doctor's questions. False if one mistake explains all failures; the run would
/// then say nothing new. What else is wrong goes into `complained`, and on standard output at once.
bool worth_running(const RunSettings& settings, RunOptions& run, const TimeLimit& limit, Backend& backend,
                   std::vector<std::string>& complained) {
  if (settings.no_doctor || !backend.processes) return true;
  const std::optional<Diagnosis> asked = diagnosis_of(backend, run.mix.profile);
  if (!asked) return true;  // a signal stops the run, which then reports that nothing was done
  const Diagnosis& diagnosis = *asked;
  if (diagnosis.one_cause_for_all()) {
    print_diagnosis(std::cout, diagnosis);
    std::cout << "Not run: " << diagnosis.why_not_run() << ". Use --no-doctor to run anyway.\n";
    return false;
  }
  complained = complaints(diagnosis);
  for (const std::string& line : complained) std::cout << "doctor: " << printable(line) << std::endl;
  if (!diagnosis.healthy())
    backend = attach(settings, run, limit);  // its crashes so far are not crashes of the run
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

/// Up to `count` things that `attach` makes. A backend that cannot be started so often runs in fewer jobs.
template <class Attach>
auto as_many(std::uint64_t count, Attach attach) {
  std::vector<decltype(attach())> list;
  try {
    while (list.size() < count && !stop_requested()) list.push_back(attach());
  } catch (const BackendFailure& failure) {
    std::cerr << "lanecheck: " << std::max<std::size_t>(1, list.size()) << " jobs instead of " << count
              << ": " << printable_lines(failure.what()) << '\n';
  }
  return list;
}

/// Runs on one backend or on two, in one job or in several, each with instances of its own. The time limit
/// starts when all of them have started.
Report run_jobs(const RunSettings& settings, const RunOptions& options, TimeLimit& limit,
                const Backend& backend, const RunHooks& hooks, const Events& events) {
  AttachOptions attach = settings.backend.attach;
  attach.stop = [&events] { return stop_requested() || events.over; };
  const std::uint64_t count = settings.job_count() > 1 ? settings.job_count() : 0;
  const auto one = [&] { return named_backend(settings.backend.backend, attach); };
  if (settings.against.empty()) {
    const std::vector<Backend> backends = as_many(count, one);
    limit.start();
    return run(options, backend, hooks, backends);
  }
  const Backend other = limited_backend(settings.against, settings, limit);
  const auto both = [&] { return std::pair(one(), named_backend(settings.against, attach)); };
  const std::vector<std::pair<Backend, Backend>> pairs = as_many(count, both);
  limit.start();
  return run_differential(options, backend, other, settings.bitwise, hooks, pairs);
}

RunHooks hooks_of(const RunSettings& settings, const RunOutputs& outputs, const RunOptions& run,
                  const Style& style, bool progress, Events& events) {
  RunHooks hooks;
  hooks.stop = [&events] { return stop_requested() || events.found_enough; };
  hooks.on_end = [&events] { events.over = true; };
  hooks.on_finding = [&settings, &outputs, &run, &events, style, progress](const Finding& finding) {
    const bool counts = finding.verdict != Verdict::undecided || settings.strict;
    if (settings.fail_fast && counts) events.found_enough = true;
    clear_line(progress);
    print_finding(std::cout, finding, style);
    std::cout << std::endl;
    if (!outputs.save.empty()) save_finding(outputs.save, finding, run.readings, events.save_failed);
  };
  if (settings.backend.attach.in_process) hooks.before_batch = note_cases(run.seed);
  if (progress)
    hooks.on_progress = [cases = run.cases, shown = -1.0](std::uint64_t done, double seconds,
                                                          std::size_t findings) mutable {
      if (seconds - shown < 0.1) return;
      shown = seconds;
      std::cerr << '\r' << progress_line(done, cases, seconds, findings) << "\033[K" << std::flush;
    };
  return hooks;
}

/// The window of a part of the run.
RunOptions part_of(RunOptions options, const Part& part) {
  options.first = part.first(options.first, options.cases);
  options.cases = part.cases(options.cases);
  return options;
}

/// What the end of the run adds to its report.
void complete(Report& report, const RunSettings& settings, const Events& events) {
  report.strict = settings.strict;
  report.arguments = settings.arguments();
  if (events.found_enough && report.interrupted && !stop_requested()) {
    report.interrupted = false;
    report.stopped = "stopped after the first finding, --fail-fast";
  }
}

/// Makes the mask certificate, if the user wants it and the run came to its end. A part of a run has none;
/// the merge of all parts makes it.
void certify(Report& report, const RunSettings& settings, const RunOptions& options, const Backend& backend,
             const Part& part) {
  if (settings.certificate == 0 || !part.whole() || report.interrupted || !report.given_up.empty()) return;
  try {
    report.certificate =
        certify_profile(stoppable(backend), options, settings.certificate, stop_if_requested);
  } catch (const Stopped&) {
    report.interrupted = true;
  }
}

/// The files of a run folder that show the report.
std::vector<Journal::Page> pages_of(const std::string& json, const History& history) {
  constexpr std::size_t kMostBundles = 100;
  page::ReportView view = page::read_report(json, "the report of this run");
  show_trend(history, view);
  std::vector<Journal::Page> pages;
  const std::vector<Bundle> bundles = bundles_of(json, "the report of this run", kMostBundles);
  for (std::size_t n = 0; n < bundles.size(); ++n) {
    view.findings.at(n).bundle = "bundles/" + bundles[n].folder;
    for (const auto& [file, text] : bundles[n].files)
      pages.push_back({view.findings[n].bundle + "/" + file, text});
  }
  for (Journal::Page& page : std::vector<Journal::Page>{{"report.json", json},
                                                        {"report.html", page::html(view)},
                                                        {"junit.xml", page::junit_xml(view)},
                                                        {"summary.md", page::markdown(view)}})
    pages.push_back(std::move(page));
  return pages;
}

/// Adds a report to the history. If that fails the run goes on: the report must not be lost.
History history_with(const std::string& file, const std::string& json, bool& failed) try {
  return add_to_history(file, json);
} catch (const std::exception& error) {
  failed = true;
  std::cerr << "lanecheck: --history: " << printable_lines(error.what()) << '\n';
  return {};
}

/// Compares the report with the list of known failures, and returns the exit code that follows.
int check_baseline(const KnownFailures& known, const std::string& json, const Report& report) {
  const KnownFailuresCheck check =
      check_known_failures(known, parse_saved_report(json, "this run"), date_or_today("", "--today"));
  print_check(std::cout, check, false);
  const int code = exit_code(report);
  if (!passes(check, false) || has_unnamed_divergence(report)) return kDiverges;
  return code == kDiverges ? kConforms : code;
}

}  // namespace

int run_session(const RunSettings& settings, const RunOutputs& outputs, const Part& part, Journal* journal) {
  handle_stop_signals();
  RunOptions options = part_of(settings.options(), part);
  if (options.cases == 0) throw InputError("--shard", "there are fewer cases than parts");
  TimeLimit limit(settings.seconds);
  Backend backend = attach(settings, options, limit);
  std::vector<std::string> complained;
  if (!worth_running(settings, options, limit, backend, complained))
    return kDiverges;  // the doctor found a mistake
  if (settings.illegal && !backend.reports_refusals)
    throw InputError("run --illegal", printable(backend.name) +
                                          " does not report refusals (reports_refusals in its hello, "
                                          "refuses_illegal of a plug-in), so it cannot be judged on them");
  std::optional<OutputFile> json;
  if (!outputs.json.empty()) json.emplace(outputs.json);
  if (!outputs.save.empty()) make_folder(outputs.save);
  if (!outputs.history.empty() && part.whole()) HistoryFile(outputs.history, HistoryFile::Open::or_new);
  std::optional<KnownFailures> known;
  if (!outputs.baseline.empty()) known = load_known_failures(outputs.baseline);
  const Style style = style_of(STDOUT_FILENO);
  const bool progress = !outputs.quiet && isatty(STDERR_FILENO) != 0;
  Events events;
  RunHooks hooks = hooks_of(settings, outputs, options, style, progress, events);
  if (journal != nullptr) journal->watch(options, hooks);
  hooks.clock = [&limit] { return limit.spent(); };
  Report report = run_jobs(settings, options, limit, backend, hooks, events);
  limit.end();
  clear_line(progress);
  report.doctor = std::move(complained);
  complete(report, settings, events);
  certify(report, settings, options, backend, part);
  print_summary(std::cout, report, style, outputs.verbose);
  const bool has_folder = journal != nullptr && journal->has_folder();
  const bool dated = !outputs.history.empty() && part.whole() && !report.interrupted;
  const std::string text = json || has_folder || known || dated ? report_text(report) : "";
  if (json) json->write(text);
  History history;
  if (dated) history = history_with(outputs.history, text, events.save_failed);
  const bool kept = !has_folder || journal->finish(pages_of(text, history));
  int code = exit_code(report);
  if (known) code = check_baseline(*known, text, report);
  return code == kConforms && (report.interrupted || events.save_failed || !kept) ? kFailure : code;
}

}  // namespace lanecheck
