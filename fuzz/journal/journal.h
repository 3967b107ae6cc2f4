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
  struct Page {
    std::string file;
    std::string text;
  };
  bool has_folder() const { return folder_ != nullptr; }
  /// Writes the last checkpoint and the files that show the report. False if anything could not be written
  /// during the run; the reason then stands on standard error.
  bool finish(const std::vector<Page>& pages);

 private:
  void on_block();
  std::string status(const std::string& state) const;
  void tried(const std::function<void()>& write);

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
