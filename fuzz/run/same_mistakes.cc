// One mistake in several instructions of a family: the findings become one.
#include <algorithm>
#include <map>

#include "fuzz/run/case_sorter.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

constexpr std::size_t kSeveral = 3;  // two mistakes may be two

/// "writes-empty" of the mutant "cgmax-writes-empty" of one instruction; empty for others.
std::string kind_of(const Bucket& bucket) {
  if (!bucket.names_mutant() || bucket.is_measured()) return {};
  const Mutant* const mutant =
      bucket.suspects.front()->wrong;  // null: a reading that the run pins to another
  if (mutant == nullptr || !mutant->only_in) return {};
  const std::string begin = std::string(row_of(*mutant->only_in).name) + "-";
  return mutant->id.starts_with(begin) ? mutant->id.substr(begin.size()) : "";
}

std::string instruction_of(const Bucket& bucket) {
  return std::string(row_of(*bucket.suspects.front()->wrong->only_in).name);
}

/// The others become part of the first, which names their instructions.
void make_one(const std::string& kind, const std::vector<Bucket*>& same, std::vector<std::string>& gone) {
  Bucket& first = *same.front();
  std::vector<std::string> others;
  for (auto each = same.begin() + 1; each != same.end(); ++each) {
    Buckets::take_over(first, **each);
    others.push_back(instruction_of(**each));
    gone.push_back((*each)->finding.id);
  }
  std::ranges::sort(others);
  Buckets::rename(first, "several-" + kind);
  first.finding.what += "; so do " + joined(others);
}

}  // namespace

void CaseSorter::unite_same_mistakes() {
  std::map<std::string, std::vector<Bucket*>> kinds;
  for (Bucket& each : buckets_.all())
    if (const std::string kind = kind_of(each); !kind.empty()) kinds[kind].push_back(&each);
  std::vector<std::string> gone;
  for (const auto& [kind, same] : kinds)
    if (same.size() >= kSeveral) make_one(kind, same, gone);
  buckets_.drop(gone);
}

}  // namespace lanecheck
