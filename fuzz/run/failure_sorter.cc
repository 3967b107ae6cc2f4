#include "fuzz/run/failure_sorter.h"

namespace lanecheck {

void FailureSorter::write_into(Report& report) {
  complete_findings();
  report.unlisted = unlisted_;
  report.findings = take_findings();
  if (!cut_short_.empty())
    report.stopped.append(report.stopped.empty() ? "" : "; ").append(cut_short_text(cut_short_));
}

Verdict FailureSorter::not_listed(Verdict verdict) {
  ++unlisted_;
  return verdict;
}

Verdict FailureSorter::count_again(Bucket& bucket) {
  ++bucket.finding.cases;
  return bucket.finding.verdict;
}

Verdict FailureSorter::keep(Bucket bucket, std::uint64_t index) {
  const Finding& finding = buckets_.add(std::move(bucket), index).finding;
  if (time_is_over(options_, hooks_)) cut_short_ = finding.id;
  if (hooks_.on_finding) hooks_.on_finding(finding);
  return finding.verdict;
}

}  // namespace lanecheck
