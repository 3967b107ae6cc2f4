// Findings that become one at the end of a run: one mistake in several instructions of a family, and what the
// causes give together that were known later.
#include <algorithm>
#include <map>

#include "fuzz/run/case_sorter.h"
#include "oracle/execute/execute.h"
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

/// A case may have been analysed before a cause was known that has a part in it.
void CaseSorter::unite_with_known_causes() {
  std::vector<std::string> gone;
  for (Bucket& unnamed : buckets_.all()) {
    const Finding& finding = unnamed.finding;
    if (unnamed.is_named() || finding.repeats != Repeats::stable) continue;
    const BackendAnswer answer = asked_.ask(finding.program);
    if (!answer.ran() || !causes_.reproduce(finding.program, answer.state, asked_.shown())) continue;
    State expected;
    execute(finding.program, documented_.semantics, expected);
    Bucket* const known = buckets_.find([&](const Bucket& each) {
      return each.names_mutant() &&
             KnownCauses::touches(*each.suspects.front(), finding.program, expected, asked_.shown());
    });
    if (known == nullptr) continue;
    Buckets::take_over(*known, unnamed);
    gone.push_back(finding.id);
  }
  buckets_.drop(gone);
}

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
