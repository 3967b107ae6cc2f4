#include "fuzz/run/crew.h"

#include <algorithm>

namespace lanecheck {

Crew::Crew(const RunOptions& options, const RunHooks& hooks, std::span<Job> jobs)
    : hooks_(hooks),
      end_(options.first + options.cases),
      most_ahead_(8 * jobs.size()),
      to_hand_out_(options.first),
      to_judge_(options.first) {
  for (Job& job : jobs) threads_.emplace_back([this, &job] { work(job); });
}

Crew::~Crew() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (hooks_.on_end) hooks_.on_end();
  threads_.clear();  // joins
}

bool Crew::next(Block& block) {
  std::unique_lock lock(mutex_);
  if (to_judge_ == end_) return false;
  changed_.wait(lock, [this] { return done_.contains(to_judge_); });
  Done done = std::move(done_.extract(to_judge_).mapped());
  if (done.failure) std::rethrow_exception(done.failure);
  std::swap(block, done.block);
  unused_.push_back(std::move(done.block));
  to_judge_ += block.count;
  --ahead_;
  lock.unlock();
  changed_.notify_all();
  return true;
}

/// The next cases without a job. False if there are none.
bool Crew::take_work(const Job& job, std::uint64_t& first, std::uint64_t& count, Block& block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return over_ || to_hand_out_ == end_ || ahead_ < most_ahead_; });
  if (over_ || to_hand_out_ == end_) return false;
  first = to_hand_out_;
  count = std::min<std::uint64_t>(job.block_size(), end_ - to_hand_out_);
  to_hand_out_ += count;
  ++ahead_;
  if (!unused_.empty()) {
    block = std::move(unused_.back());
    unused_.pop_back();
  }
  return true;
}

void Crew::work(Job& job) {
  const auto stop = [this] { return over_ || (hooks_.stop && hooks_.stop()); };
  std::uint64_t first = 0, count = 0;
  for (Block block; take_work(job, first, count, block);) {
    std::exception_ptr failure;
    try {
      job.run(first, count, stop, {}, block);
    } catch (...) {
      failure = std::current_exception();
    }
    const bool ends = failure || block.count < count || !block.given_up.empty();
    {
      const std::scoped_lock lock(mutex_);
      done_.emplace(first, Done{std::move(block), failure});
    }
    changed_.notify_all();
    if (ends) return;
    block = {};
  }
}

}  // namespace lanecheck
