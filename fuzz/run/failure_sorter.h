// Sorts the failing cases of a run into buckets: what all runs do, whatever explains their cases.
#pragma once

#include <string>
#include <vector>

#include "fuzz/run/block.h"
#include "fuzz/run/buckets.h"
#include "fuzz/run/options.h"

namespace lanecheck {

class FailureSorter {
 public:
  /// Both must outlive the sorter.
  FailureSorter(const RunOptions& options, const RunHooks& hooks) : options_(options), hooks_(hooks) {}
  virtual ~FailureSorter() = default;

  virtual Verdict sort(const FailedCase& failed) = 0;
  /// How many findings there are so far.
  std::size_t findings() const { return buckets_.size(); }
  std::vector<Finding> take_findings() { return buckets_.take_findings(); }
  /// How many failing cases were not analysed, because the time was over or a limit was reached.
  std::uint64_t unlisted() const { return unlisted_; }
  /// Hands the findings over to `report`, and says how many failing cases were not analysed and whose
  /// analysis was cut short.
  void write_into(Report& report);

 protected:
  /// May no further mistake be listed? Readings, of which there are only so many, take no mistake's place.
  bool is_full() const { return buckets_.mistakes() >= options_.most_findings; }
  Verdict not_listed(Verdict verdict);
  static Verdict count_again(Bucket& bucket);
  /// Keeps a new bucket with its first case, `index`, and tells the user.
  Verdict keep(Bucket bucket, std::uint64_t index);
  /// Asks what the findings lack, before they are handed over.
  virtual void complete_findings() {}

  const RunOptions& options_;
  const RunHooks& hooks_;
  Buckets buckets_;

 private:
  std::uint64_t unlisted_ = 0;
  std::string cut_short_;  ///< the finding whose analysis was cut short because the time was over
};

}  // namespace lanecheck
