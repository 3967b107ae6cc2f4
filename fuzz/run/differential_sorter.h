// Sorts the cases on which two backends differ: one finding for each instruction on which they first differ.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/run/backend_pair.h"
#include "fuzz/run/failure_sorter.h"

namespace lanecheck {

class DifferentialSorter final : public FailureSorter {
 public:
  DifferentialSorter(const RunOptions& options, const BackendPair& pair, const RunHooks& hooks);

  Verdict sort(const FailedCase& failed) override;

 private:
  using Answers = std::array<BackendAnswer, 2>;

  Answers ask(const Program& program);
  std::optional<std::size_t> first_difference(const Program& program);
  Verdict sort_failure(const FailedCase& failed);
  Verdict sort_difference(const FailedCase& failed);
  void count_places_of(const FailedCase& failed, Finding& finding) const;
  void shrink(Finding& finding);
  void describe(Finding& finding);
  void describe_instruction(Finding& finding);
  void name_rules(Finding& finding, AskedBackend& wrong) const;
  std::string allowed_text(bool first, bool second) const;
  std::string outcome_text(unsigned side, const Answers& answers) const;

  BackendPair pair_;
  Documented documented_;
  std::array<AskedBackend, 2> asked_;
};

}  // namespace lanecheck
