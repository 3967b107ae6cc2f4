// What the cases of a run came to, counted. Two tallies of different cases add up to the tally of both, in
// any order: so parts of a run can be run apart.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "fuzz/run/block.h"
#include "fuzz/run/cell_coverage.h"

namespace lanecheck {

class Tally {
 public:
  explicit Tally(Profile profile) : coverage_(profile) {}

  /// Counts a case that was done. If it failed, its verdict is counted when it is sorted.
  void count(const CaseRecord& record);
  void count(Verdict verdict) { ++verdicts_[static_cast<std::size_t>(verdict)]; }
  /// How many cases have a verdict.
  std::uint64_t done() const;
  const CellCoverage& coverage() const { return coverage_; }
  /// Writes all counts but those of the coverage into `report`, which has its rules of legality already.
  void write_into(Report& report) const;

 private:
  std::array<std::uint64_t, std::size(kVerdictNames)> verdicts_{};
  std::array<std::uint64_t, 4> kinds_{};  ///< by Kind
  std::map<const LegalityRule*, std::uint64_t> legality_;
  std::uint64_t element_checks_ = 0;
  CellCoverage coverage_;
  std::uint64_t not_offered_ = 0;
  std::set<std::string> mnemonics_;  ///< of the instructions that are not on offer
  std::set<std::string> skip_reasons_;
};

}  // namespace lanecheck
