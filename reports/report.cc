#include "reports/report.h"

#include <algorithm>

#include "reports/exit_code.h"

namespace lanecheck {

void count_verdict(Report& report, Verdict verdict) {
  ++report.done;
  switch (verdict) {
    case Verdict::conforms:
      ++report.conforms;
      return;
    case Verdict::diverges:
      ++report.diverges;
      return;
    case Verdict::undecided:
      ++report.undecided;
      return;
    case Verdict::skipped:
      ++report.skipped;
      return;
    case Verdict::errored:
      ++report.errored;
      return;
  }
}

std::vector<std::string> never_exercised(const Report& report) {
  if (report.interrupted || report.done < report.planned || report.done < kFullRun) return {};
  return not_exercised(report);
}

std::vector<std::string> not_exercised(const Report& report) {
  std::vector<std::string> ids;
  if (report.replayed || report.edge == report.done) return ids;
  for (const RuleCount& rule : report.rules)
    if (rule.exercised == 0 && rule.left_out == 0) ids.push_back(rule.id);
  return ids;
}

std::uint64_t diverging_under_masks(const Report& report) {
  if (!report.certificate) return 0;
  return static_cast<std::uint64_t>(
      std::ranges::count(report.certificate->others, true, &Uncertified::diverges));
}

bool has_unnamed_divergence(const Report& report) {
  if (!report.certificate) return false;
  const auto is_named = [&](const Uncertified& each) {
    return std::ranges::any_of(report.findings, [&](const Finding& finding) {
      // Without an id, it diverged only once: a finding of the same instruction says as much.
      return each.finding.empty() ? std::ranges::count(finding.instructions, each.instruction) > 0
                                  : finding.id == each.finding;
    });
  };
  return std::ranges::any_of(report.certificate->others,
                             [&](const Uncertified& each) { return each.diverges && !is_named(each); });
}

int exit_code(const Report& report) {
  const auto has = [&](Verdict verdict) {
    return std::ranges::count(report.findings, verdict, &Finding::verdict) > 0;
  };
  if (report.diverges > 0 || has(Verdict::diverges) || !report.doctor.empty() ||
      diverging_under_masks(report) > 0)
    return kDiverges;
  if (report.strict && report.undecided > 0) return kDiverges;
  if (!report.given_up.empty() || report.errored > 0 || has(Verdict::errored) ||
      !never_exercised(report).empty())
    return kFailure;
  return report.conforms + report.undecided > 0 ? kConforms : kFailure;  // kFailure: nothing was judged
}

}  // namespace lanecheck
