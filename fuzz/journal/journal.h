// Keeps the progress of a run while it runs.
#pragma once

#include <string>
#include <vector>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/journal/run_folder.h"
#include "fuzz/run/options.h"

namespace lanecheck {

class Journal {
 public:
  /// `progress` is where the run goes on. `folder` may be null: then nothing is written. Else it must outlive
  /// the journal, and gets a checkpoint about every `seconds`.
  explicit Journal(Checkpoint progress, const RunFolder* folder = nullptr, double seconds = 5)
      : progress_(std::move(progress)), folder_(folder), seconds_(seconds) {}

  /// Makes the run count in this journal. Adds to what `hooks` do already.
  void watch(const RunOptions& options, RunHooks& hooks);
  /// Writes the last checkpoint and the report. False if something could not be written; the reason then
  /// stands on standard error.
  bool finish(const Report& report);

 private:
  void on_block();
  std::string status(const std::string& state) const;
  bool tried(const std::function<void()>& write);

  Checkpoint progress_;
  const RunFolder* folder_;
  double seconds_;
  std::uint64_t first_ = 0, planned_ = 0;
  std::uint64_t done_before_ = 0;  ///< cases that were done when this process began
  std::vector<std::string> findings_;
  Stopwatch watch_;
  double status_at_ = 0, checkpoint_at_ = 0;  ///< when the files were written last, in seconds
  double checkpoint_took_ = 0;
  bool failed_ = false;
};

}  // namespace lanecheck
