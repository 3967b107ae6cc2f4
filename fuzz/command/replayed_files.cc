#include "fuzz/command/replayed_files.h"

#include <algorithm>
#include <iostream>

#include "fuzz/command/expectation.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/run/report_header.h"
#include "reports/exit_code.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

/// The readings that the case is about: "id=option, id=option".
std::string readings_of(const Case& c) {
  return joined(departures(c.readings, default_readings(c.program.profile)),
                [](const auto& each) { return std::string(each.first).append("=").append(each.second); });
}

}  // namespace

Replay::Replay(const Backend& backend, RunOptions options, std::function<void(const Finding&)> on_finding)
    : backend_(backend),
      options_(std::move(options)),
      on_finding_(std::move(on_finding)),
      report_(report_header(options_, backend)) {
  report_.replayed = true;
  report_.judges_refusals = backend.reports_refusals;
}

ReplayVerdict Replay::judge_file(const std::string& name, const Case& c) {
  const RunOptions run = options_of(c, options_);
  const std::uint64_t index = report_.done;
  auto falsified = falsified_expectation(c, backend_);
  ReplayVerdict verdict = judge_program(c.program, run, readings_of(c), name, index);
  if (falsified) {
    verdict.note.append(verdict.note.empty() ? "" : ", ").append(falsified->id);
    verdict.verdict = Verdict::diverges;
    add(*std::move(falsified), name, index);
  }
  return counted(verdict);
}

ReplayVerdict Replay::judge_generated(std::uint64_t index) {
  Program program;
  if (std::string why = generate_for(backend_, options_, index, program); !why.empty())
    return counted({Verdict::skipped, std::move(why)});
  return counted(judge_program(program, options_, "", "", index));
}

void Replay::add_unreadable(const std::string& why) {
  report_.unreadable.push_back(why);
}

Report Replay::take_report(bool interrupted, std::uint64_t planned) {
  report_.interrupted = interrupted;
  report_.planned = planned;
  report_.findings = buckets_.take_findings();
  if (backend_.given_up) report_.given_up = backend_.given_up();
  if (backend_.processes) report_.processes = backend_.processes();
  return std::move(report_);
}

/// `about`: the readings that the case is about. The program may be wrong under them and right under the
/// default ones.
ReplayVerdict Replay::judge_program(const Program& program, const RunOptions& run, const std::string& about,
                                    const std::string& file, std::uint64_t index) {
  if (auto why = not_on_offer(program, backend_)) return {Verdict::skipped, *std::move(why)};
  RunOptions quick = run;
  quick.minimize = false;
  BackendAnswer answer;
  answer.outcome = backend_.run(program, answer.state);
  if (const auto* skipped = std::get_if<Skipped>(&answer.outcome)) return {Verdict::skipped, skipped->why};
  auto finding = judge_answer(program, answer, quick, backend_);
  if (!finding) return {};
  if (!about.empty() && admits(options_, program, answer, backend_))
    return {Verdict::undecided, "the backend does not follow " + about};
  if (buckets_.find_id(finding->id) == nullptr)
    if (auto minimized = judge_answer(program, answer, run, backend_)) finding = std::move(minimized);
  ReplayVerdict verdict{finding->verdict, finding->id};
  add(*std::move(finding), file, index);
  return verdict;
}

/// A finding that is there already only counts one case more.
void Replay::add(Finding finding, const std::string& file, std::uint64_t index) {
  if (Bucket* known = buckets_.find_id(finding.id)) {
    ++known->finding.cases;
    return;
  }
  finding.first_file = file;
  on_finding_(buckets_.add({{}, {}, std::move(finding)}, index).finding);
}

ReplayVerdict Replay::counted(ReplayVerdict verdict) {
  count_verdict(report_, verdict.verdict);
  if (verdict.verdict == Verdict::skipped && std::ranges::count(report_.skip_reasons, verdict.note) == 0)
    report_.skip_reasons.push_back(verdict.note);
  return verdict;
}

RunHooks hooks_that_print(Style style) {
  RunHooks hooks;
  hooks.stop = stop_requested;
  hooks.on_finding = [style](const Finding& finding) {
    print_finding(std::cout, finding, style);
    std::cout << std::endl;
  };
  return hooks;
}

void print_tally(std::ostream& out, const Report& report, CountedWords judged, CountedWords faults) {
  const auto& n = report;
  out << n.done << " " << (n.done == 1 ? judged.one : judged.several) << ", " << n.diverges
      << (n.diverges == 1 ? " diverges" : " diverge");
  if (n.undecided > 0) out << ", " << n.undecided << " undecided" << (n.strict ? " (--strict)" : "");
  if (n.skipped > 0) out << ", " << n.skipped << " skipped";
  if (n.errored > 0) out << ", the backend failed on " << n.errored;
  if (!n.unreadable.empty())
    out << ", " << n.unreadable.size() << " " << (n.unreadable.size() == 1 ? faults.one : faults.several);
  if (n.interrupted) out << "; interrupted before the end";
  out << '\n';
}

int exit_code_of_files(const Report& report) {
  if (report.diverges > 0 || (report.strict && report.undecided > 0)) return kDiverges;
  const bool failed = report.errored > 0 || report.interrupted || !report.given_up.empty();
  if (failed) return kFailure;
  if (!report.unreadable.empty()) return kBadInput;
  return report.done > 0 && report.skipped == report.done ? kFailure : kConforms;
}

}  // namespace lanecheck
