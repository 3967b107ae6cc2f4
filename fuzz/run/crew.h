// Several jobs at work, each in a thread of its own. Their blocks come out in the order of the cases.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "fuzz/run/job.h"
#include "fuzz/run/options.h"

namespace lanecheck {

class Crew {
 public:
  /// Starts a thread for each job. All arguments must outlive the crew; RunHooks::stop is asked by all
  /// threads.
  Crew(const RunOptions& options, const RunHooks& hooks, std::span<Job> jobs);
  /// Ends all threads. What they work at is not waited for longer than RunHooks::on_end makes it end.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Waits for the block that comes next and exchanges it for `block`, whose memory is used again. False if
  /// no block is left, because all cases were handed out. Throws what the job of this block has thrown.
  bool next(Block& block);

 private:
  void work(Job& job);
  bool take_work(const Job& job, std::uint64_t& first, std::uint64_t& count, Block& block);

  struct Done {
    Block block;
    std::exception_ptr failure;
  };

  const RunHooks& hooks_;
  const std::uint64_t end_;       ///< the index behind the last case
  const std::size_t most_ahead_;  ///< how many blocks may wait for the judge
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t to_hand_out_;           ///< the first case that no job has yet
  std::uint64_t to_judge_;              ///< the first case that was not handed to the judge yet
  std::size_t ahead_ = 0;               ///< how many blocks jobs have or wait for the judge
  std::map<std::uint64_t, Done> done_;  ///< by their first case
  std::vector<Block> unused_;
  std::atomic<bool> over_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace lanecheck
