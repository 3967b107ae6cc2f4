// Sorts the cases on which two backends differ: one finding for each instruction on which they first differ.
#pragma once

#include "fuzz/explain/suspects.h"
#include "fuzz/run/backend_pair.h"
#include "fuzz/run/buckets.h"
#include "fuzz/run/options.h"
#include "fuzz/run/run_loop.h"

namespace lanecheck {

class DifferentialSorter final : public FailureSorter {
 public:
  DifferentialSorter(const RunOptions& options, const BackendPair& pair, const RunHooks& hooks);

  Verdict sort(const FailedCase& failed) override;
  std::size_t findings() const override { return buckets_.size(); }
  std::vector<Finding> take_findings() { return buckets_.take_findings(); }
  /// How many failing cases were not analysed, because the limit of findings was reached.
  std::uint64_t unlisted() const { return unlisted_; }
  /// The finding whose analysis was cut short because the time was over; "" if none was.
  const std::string& cut_short() const { return cut_short_; }

 private:
  using Answers = std::array<BackendAnswer, 2>;

  Answers ask(const Program& program);
  std::optional<std::size_t> first_difference(const Program& program);
  Verdict sort_failure(const FailedCase& failed);
  Verdict sort_difference(const FailedCase& failed);
  Verdict add(Finding finding, std::uint64_t index);
  Verdict not_listed(Verdict verdict);
  void shrink(Finding& finding);
  void describe(Finding& finding);
  void describe_instruction(Finding& finding);
  void name_rules(Finding& finding, AskedBackend& wrong) const;
  std::string allowed_text(bool first, bool second) const;
  std::string outcome_text(unsigned side, const Answers& answers) const;

  const RunOptions& options_;
  BackendPair pair_;
  const RunHooks& hooks_;
  Documented documented_;
  std::array<AskedBackend, 2> asked_;
  Buckets buckets_;
  std::uint64_t unlisted_ = 0;
  std::string cut_short_;
};

}  // namespace lanecheck
