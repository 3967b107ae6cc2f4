#include "fuzz/run/case_sorter.h"

#include "fuzz/explain/explain.h"

namespace lanecheck {
namespace {

// A broken backend produces many programs with several faults at once. A few of them, minimized, suffice.
constexpr unsigned kMostUnexplained = 40;
constexpr std::uint64_t kMostNarrowing = 64;  // cases of a bucket that may narrow down its suspects

Verdict verdict_without_finding(const Outcome& outcome, const Suspects& suspects) {
  if (std::holds_alternative<Errored>(outcome)) return Verdict::errored;
  if (suspects.empty() || suspects.front()->is_wrong()) return Verdict::diverges;
  return Verdict::undecided;
}

}  // namespace

Verdict CaseSorter::sort(std::uint64_t index, const Program& program, const AnswerView& answer,
                         const LegalityRule* edge) {
  const std::string failure = failure_kind(answer.outcome);
  if (Bucket* known = known_bucket(failure, program, answer.state)) {
    if (failure.empty() && known->finding.cases < kMostNarrowing) narrow(*known, program, answer.state);
    return count_again(*known);
  }
  const BackendAnswer again = asked_.ask(program);
  if (std::holds_alternative<NotRun>(again.outcome)) {  // the run was stopped: nothing more can be found out
    ++unlisted_;
    return verdict_without_finding(answer.outcome, {});
  }
  const bool repeats = diverges(again, program, documented_, asked_.shown());
  const bool may_be_blamed = failure.empty() && repeats;
  Suspects suspects;
  if (may_be_blamed) suspects = refine(suspects_of(program), asked_, documented_);
  const bool enough = suspects.empty() && ++unexplained_ > kMostUnexplained;
  if (enough || buckets_.size() >= options_.most_findings) {
    ++unlisted_;
    return verdict_without_finding(answer.outcome, suspects);
  }
  Finding finding =
      repeats ? explain(program, suspects, asked_, documented_, options_.minimize)
              : explain_not_repeated(program, answer.outcome, answer.state, documented_, asked_.shown());
  // A case with several faults at once may shrink into a finding that is there already.
  if (Bucket* same = buckets_.find_id(finding.id)) return count_again(*same);
  if (edge != nullptr) finding.rules.emplace_back(edge->id);
  if (suspects.empty() && may_be_blamed) suspects = suspects_of(finding.program);
  return add({std::move(suspects), failure, std::move(finding)}, index);
}

Verdict CaseSorter::sort_accepted(std::uint64_t index, const Program& program, const Fault& fault) {
  const std::string failure = "accepts-illegal-" + std::string(fault.rule->id);
  if (Bucket* known = buckets_.find([&](const Bucket& each) { return each.failure == failure; }))
    return count_again(*known);
  Finding finding = explain_accepted(program, fault, asked_, documented_, options_.minimize);
  // One reading may make programs legal that break several rules.
  if (Bucket* same = buckets_.find_id(finding.id)) return count_again(*same);
  return add({{}, failure, std::move(finding)}, index);
}

Bucket* CaseSorter::known_bucket(const std::string& failure, const Program& program, const State& actual) {
  return buckets_.find([&](const Bucket& each) {
    if (!failure.empty() || !each.failure.empty()) return each.failure == failure;
    return !each.suspects.empty() && explains(*each.suspects.front(), program, actual, asked_.shown());
  });
}

/// Drops the suspects that do not fit a further case of the bucket. The first one fits: it found the bucket.
void CaseSorter::narrow(Bucket& bucket, const Program& program, const State& actual) const {
  std::erase_if(bucket.suspects, [&](const Hypothesis* each) {
    return each != bucket.suspects.front() && !explains(*each, program, actual, asked_.shown());
  });
}

Verdict CaseSorter::count_again(Bucket& bucket) const {
  ++bucket.finding.cases;
  return bucket.finding.verdict;
}

Verdict CaseSorter::add(Bucket bucket, std::uint64_t index) {
  const Finding& finding = buckets_.add(std::move(bucket), index).finding;
  if (hooks_.on_finding) hooks_.on_finding(finding);
  return finding.verdict;
}

Suspects CaseSorter::suspects_of(const Program& program) {
  return suspects(asked_.ask(program), program, documented_, asked_.shown());
}

}  // namespace lanecheck
