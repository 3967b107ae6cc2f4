// A job runs blocks of cases on backends of its own. A run has one job or several, each in its own thread; a
// job knows nothing of buckets and of the other jobs.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "fuzz/backend/backend.h"
#include "fuzz/run/block.h"

namespace lanecheck {

/// Makes cases and compares what the backends did with what they must do.
class CaseChecker {
 public:
  virtual ~CaseChecker() = default;
  /// Makes case `index` in place `slot` of the batch. False if nothing of it can be run: it is skipped, and
  /// `record` says why.
  virtual bool prepare(std::size_t slot, std::uint64_t index, Program& program, CaseRecord& record) = 0;
  /// Compares the answers for the case in place `slot`, in the order of the backends. Writes into `record`
  /// the verdict or the failed case.
  virtual void check(std::size_t slot, const Program& program, std::span<const AnswerView> answers,
                     CaseRecord& record) = 0;
};

class Job {
 public:
  using BeforeBatch = std::function<void(std::uint64_t first, std::uint64_t count)>;

  /// `backends` must outlive the job.
  Job(std::vector<const Backend*> backends, std::unique_ptr<CaseChecker> checker);

  const std::vector<const Backend*>& backends() const { return backends_; }
  /// How many cases the next block should have. The blocks of a slow backend are short, so that the judge
  /// hears of them soon.
  std::size_t block_size() const { return block_size_; }

  /// Runs the cases from `first` on, at most `count`, and writes them into `block`. Ends early, with fewer
  /// cases, if `stop` returns true between two batches, or after the first case that a backend ran no more.
  void run(std::uint64_t first, std::uint64_t count, const std::function<bool()>& stop,
           const BeforeBatch& before_batch, Block& block);

 private:
  struct Side {
    std::vector<State> states;
    std::vector<Outcome> outcomes;
  };
  void resize(std::size_t count);
  void run_batch(std::uint64_t first, std::size_t count, Block& block);
  void finish(std::size_t slot, CaseRecord& record);

  std::vector<const Backend*> backends_;
  std::unique_ptr<CaseChecker> checker_;
  std::size_t batch_ = 1;       ///< how many cases are run together
  std::size_t block_size_ = 8;  ///< how many cases the next block should have
  std::vector<Program> programs_;
  std::vector<CaseRecord*> records_;  ///< of the programs, by slot
  std::vector<Side> sides_;           ///< one for each backend
  std::vector<AnswerView> answers_;
};

}  // namespace lanecheck
