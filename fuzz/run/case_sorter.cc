#include "fuzz/run/case_sorter.h"

#include <algorithm>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/locate.h"
#include "fuzz/explain/name_finding.h"

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
  const BackendAnswer first{answer.outcome, answer.state};
  constexpr unsigned kAnyRestarts = ~0u;
  if (asked_.gives_up(kAnyRestarts)) {  // the run ends: the backend is asked no more
    ++unlisted_;
    return verdict_without_finding(answer.outcome, suspects(first, program, documented_, asked_.shown()));
  }
  const bool repeats = repeats_itself(program, first);
  const bool may_be_blamed = failure.empty() && repeats;
  if (may_be_blamed)
    if (Bucket* of_readings = several_readings(index, program)) return of_readings->finding.verdict;
  Refined refined;
  if (may_be_blamed) refined = refine(suspects_of(program), asked_, documented_);
  const bool enough = may_be_blamed && refined.suspects.empty() && ++unexplained_ > kMostUnexplained;
  if (enough || buckets_.size() >= options_.most_findings) {
    ++unlisted_;
    return verdict_without_finding(answer.outcome, refined.suspects);
  }
  Finding finding = repeats ? explain(program, refined, asked_, documented_, options_.minimize)
                            : explain_not_repeated(program, first, asked_, documented_);
  // A case with several faults at once may shrink into a finding that is there already.
  if (Bucket* same = buckets_.find_id(finding.id)) return count_again(*same);
  if (edge != nullptr) finding.rules.emplace_back(edge->id);
  if (refined.suspects.empty() && may_be_blamed && refined.refuted_reading == nullptr)
    refined = refine(suspects_of(finding.program), asked_, documented_);
  return add({std::move(refined.suspects), failure, std::move(finding)}, index);
}

/// If the output is what several readings give together: the bucket of one of them, which counts the case.
/// They are found one after the other, each by the part of the program on which it shows first.
Bucket* CaseSorter::several_readings(std::uint64_t index, const Program& program) {
  const auto departs = [&](const Program& part) {
    const BackendAnswer answer = asked_.ask(part);
    return answer.ran() && !compare(part, Semantics(followed_), answer.state, asked_.shown()).agrees;
  };
  Bucket* added = nullptr;
  const Suspects whole = suspects_of(program);
  if (!whole.empty() && (whole.front()->is_wrong() || followed_ == options_.readings)) return nullptr;
  for (std::size_t known = 0; known <= program.instructions.size(); ++known) {
    const auto count = first_divergence(program, departs);
    if (!count) return added != nullptr ? added : count_for_readings();
    if (*count == program.instructions.size())
      return follows_one_more(program) ? count_for_readings() : nullptr;
    if (buckets_.size() >= options_.most_findings) return nullptr;
    const Program part = prefix(program, *count);
    const Refined refined = refine(suspects_of(part), asked_, documented_);
    if (refined.suspects.empty() || refined.suspects.front()->is_wrong()) return nullptr;
    Finding finding = explain(part, refined, asked_, documented_, options_.minimize);
    if (buckets_.find_id(finding.id) != nullptr) return nullptr;
    add({refined.suspects, {}, std::move(finding)}, index);
    added = buckets_.find_id(refined.suspects.front()->id);
  }
  return nullptr;
}

/// Counts a case that several readings explain together in the first bucket of a reading.
Bucket* CaseSorter::count_for_readings() {
  Bucket* const first = buckets_.find(
      [](const Bucket& each) { return !each.suspects.empty() && !each.suspects.front()->is_wrong(); });
  if (first != nullptr) ++first->finding.cases;
  return first;
}

/// Is the output that of the readings that the backend follows and of one more, which further questions
/// confirm?
bool CaseSorter::follows_one_more(const Program& program) {
  const BackendAnswer answer = asked_.ask(program);
  return std::ranges::any_of(documented_.hypotheses, [&](const Hypothesis& each) {
    if (each.is_wrong()) return false;
    Readings both = followed_;
    each.reading->set(both, each.reading->get(each.semantics.readings));
    return compare(program, Semantics(both), answer.state, asked_.shown()).agrees &&
           !refine({&each}, asked_, documented_).suspects.empty();
  });
}

/// Does the backend do the same when it is asked alone? If it does not run the program again, the answer of
/// the run is all there is, and it counts.
bool CaseSorter::repeats_itself(const Program& program, const BackendAnswer& first) {
  const BackendAnswer again = asked_.ask(program);
  const bool failed = !failure_kind(first.outcome).empty();
  if (failed) return !failure_kind(again.outcome).empty();
  if (!again.ran()) {
    asked_.remember(program, first);
    return true;
  }
  if (!diverges(again, program, documented_, asked_.shown())) return false;
  if (identical(again.state, first.state, asked_.shown())) return true;
  // Two different states. They may differ in what the documents leave open, such as the payload of a NaN.
  const Suspects some = suspects(first, program, documented_, asked_.shown());
  return some.empty() ? compare_bytes(program, first.state) == compare_bytes(program, again.state)
                      : reproduces(some, again, program, asked_.shown());
}

std::vector<std::uint32_t> CaseSorter::compare_bytes(const Program& program, const State& state) const {
  return compare(program, documented_.semantics, state, asked_.shown()).bytes;
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
    return std::ranges::any_of(each.suspects, [&](const Hypothesis* suspect) {
      return explains(*suspect, program, actual, asked_.shown());
    });
  });
}

/// Drops the suspects that do not fit a further case of the bucket. If the first one is among them, the next
/// one names the finding.
void CaseSorter::narrow(Bucket& bucket, const Program& program, const State& actual) {
  const Hypothesis* const name = bucket.suspects.front();
  std::erase_if(bucket.suspects,
                [&](const Hypothesis* each) { return !explains(*each, program, actual, asked_.shown()); });
  if (bucket.suspects.front() == name) return;
  bucket.finding.rules.clear();
  name_finding(bucket.finding, bucket.suspects, asked_, documented_);
}

Verdict CaseSorter::count_again(Bucket& bucket) const {
  ++bucket.finding.cases;
  return bucket.finding.verdict;
}

Verdict CaseSorter::add(Bucket bucket, std::uint64_t index) {
  if (!bucket.suspects.empty() && !bucket.suspects.front()->is_wrong()) {
    const Hypothesis& follows = *bucket.suspects.front();
    follows.reading->set(followed_, follows.reading->get(follows.semantics.readings));
  }
  const Finding& finding = buckets_.add(std::move(bucket), index).finding;
  if (time_is_over(options_, hooks_)) cut_short_ = finding.id;
  if (hooks_.on_finding) hooks_.on_finding(finding);
  return finding.verdict;
}

Suspects CaseSorter::suspects_of(const Program& program) {
  return suspects(asked_.ask(program), program, documented_, asked_.shown());
}

}  // namespace lanecheck
