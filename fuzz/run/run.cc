#include "fuzz/run/run.h"

#include <algorithm>

#include "fuzz/run/case_sorter.h"
#include "fuzz/run/conformance_checker.h"
#include "fuzz/run/report_header.h"
#include "fuzz/run/run_loop.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// A rule that is broken was exercised, also where its cells do not show it: a set_mask that keeps old bits
/// breaks VMC-0-reproducible already on the mask that the program starts with.
void count_broken(RuleCount& rule, const Finding& finding) {
  ++rule.broken;
  rule.exercised = std::max(rule.exercised, finding.cases);
}

void count_broken_rules(Report& report) {
  for (const Finding& finding : report.findings)
    for (const std::string& broken : finding.rules)
      for (auto* list : {&report.rules, &report.legality_rules})
        for (RuleCount& rule : *list)
          if (rule.id == broken) count_broken(rule, finding);
}

}  // namespace

Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks,
           std::span<const Backend> jobs) {
  const RunHooks timed = with_clock(hooks);
  Report report = report_header(options, backend);
  report.judges_refusals = judges_refusals(options, backend);
  if (report.judges_refusals) report.legality_rules = rules_tried(options.mix.profile);
  std::vector<Job> at_work;
  for (const Backend& each : jobs.empty() ? std::span(&backend, 1) : jobs)
    at_work.emplace_back(std::vector{&each}, std::make_unique<ConformanceChecker>(options, each));
  Checkpoint fresh(options.mix.profile);
  CaseSorter sorter(options, backend, timed);
  const Tally tally =
      run_cases(options, timed, at_work, sorter, timed.progress != nullptr ? *timed.progress : fresh, report);
  tally.write_into(report);
  tally.coverage.write_into(report);
  sorter.write_into(report);
  count_broken_rules(report);
  return report;
}

}  // namespace lanecheck
