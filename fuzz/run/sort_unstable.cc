// Cases about which the backend is not always wrong, or only with what lies behind UB.
#include <bit>

#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/run/case_sorter.h"

namespace lanecheck {
namespace {

// So many cases that are not always wrong are explained, and later fewer and fewer: each costs hundreds of
// programs.
constexpr std::uint64_t kMostUnstable = 16;

}  // namespace

/// A case that ran, and that the backend is not always wrong about: the finding is made from the same
/// question asked again and again. Nothing if the case is stable. After many of them, a case of no known
/// bucket counts in the first bucket of an unstable finding, without its places.
std::optional<Verdict> CaseSorter::sort_unstable(const FailedCase& failed, bool afresh) {
  const BackendAnswer& first = failed.answers.front();
  if (!first.ran() || !asked_.backend().recorded.empty()) return {};
  if (unstable_.is_stable(failed.program, afresh)) return {};
  if (const auto padded = without_chance(failed)) return analyse(*padded);
  if (Bucket* known = unstable_.bucket_of(failed, buckets_)) return count(*known, failed);
  if (is_full()) return not_listed(Verdict::diverges);
  if (++unstable_explained_ > kMostUnstable && !std::has_single_bit(unstable_explained_)) {
    Bucket* const some =
        buckets_.find([](const Bucket& each) { return each.finding.repeats != Repeats::stable; });
    return some != nullptr ? count_again(*some) : not_listed(Verdict::diverges);
  }
  Finding finding = unstable_.explain(failed.program, first, failed.index);
  if (finding.repeats == Repeats::stable) return {};
  return add_unstable(std::move(finding), failed);
}

Verdict CaseSorter::add_unstable(Finding finding, const FailedCase& failed) {
  if (finding.repeats == Repeats::unknown && asked_.ends()) return not_listed(Verdict::diverges);
  if (Bucket* same = buckets_.find_id(finding.id)) return join(*same, finding, failed);
  return add_case({{}, {}, std::move(finding)}, failed);
}

/// The case with known bytes behind the end of UB, if the backend reads them and diverges there too: then it
/// can be asked again.
std::optional<FailedCase> CaseSorter::without_chance(const FailedCase& failed) {
  if (!failure_kind(failed.answers.front().outcome).empty() || failed.accepted) return {};
  const Program padded = with_zeros_behind_ub(failed.program);
  if (!reads_behind_ub(failed.program, asked_)) return {};
  BackendAnswer answer = asked_.ask(padded);
  if (!diverges(answer, padded, documented_, asked_.shown())) return {};
  FailedCase known(failed.index, padded, {});
  known.answers.push_back(std::move(answer));
  return known;
}

}  // namespace lanecheck
