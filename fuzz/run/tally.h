// What the cases of a run came to, counted. Two tallies of different cases add up to the tally of both, in
// any order: so parts of a run can be run apart.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "fuzz/coverage/cell_coverage.h"
#include "fuzz/run/block.h"

namespace lanecheck {

/// The rules of legality that cases at edges come from, without counts.
std::vector<RuleCount> rules_tried(Profile profile);

struct Tally {
  explicit Tally(Profile profile) : coverage(profile) {}

  /// Counts a case that was done. If it failed, its verdict is counted when it is sorted.
  void count(const CaseRecord& record);
  void count(Verdict verdict) { ++verdicts[static_cast<std::size_t>(verdict)]; }
  void count_edge(std::string_view rule);  ///< a case at the edge of this rule of legality
  void add(const Tally& other);
  /// How many cases have a verdict.
  std::uint64_t done() const;
  /// Writes all counts but those of the coverage into `report`, which has its rules of legality already.
  void write_into(Report& report) const;

  std::array<std::uint64_t, std::size(kVerdictNames)> verdicts{};  ///< by Verdict
  std::array<std::uint64_t, std::size(kKindNames)> kinds{};        ///< by Kind
  std::map<std::string, std::uint64_t, std::less<>> legality;  ///< cases at the edge of each rule, by its id
  std::uint64_t element_checks = 0;
  CellCoverage coverage;
  std::uint64_t instructions_left_out = 0;
  std::set<std::string> not_offered;  ///< mnemonics of the instructions that are not on offer
  std::set<std::string> skip_reasons;
};

/// How far a run has come: enough to go on after an interruption, and to add the parts of a run up. The
/// buckets are not in it; they follow from the failed cases, which are run and sorted again.
struct Checkpoint {
  explicit Checkpoint(Profile profile) : tally(profile) {}

  std::uint64_t done() const { return tally.done() + failed.size(); }

  Tally tally;                        ///< without the verdicts of the failed cases
  std::vector<std::uint64_t> failed;  ///< indices of the cases that failed, in order
};

}  // namespace lanecheck
