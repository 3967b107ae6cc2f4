#include "fuzz/run/job.h"

#include <algorithm>

#include "fuzz/backend/stopwatch.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostInBlock = 64;
constexpr double kLongBlock = 0.25;  // seconds

}  // namespace

Job::Job(std::vector<const Backend*> backends, std::unique_ptr<CaseChecker> checker)
    : backends_(std::move(backends)), checker_(std::move(checker)), sides_(backends_.size()) {
  for (const Backend* each : backends_) batch_ = std::max(batch_, each->batch);
  resize(batch_);
}

void Job::run(std::uint64_t first, std::uint64_t count, const std::function<bool()>& stop,
              const BeforeBatch& before_batch, Block& block) {
  block.first = first;
  block.count = 0;
  block.given_up.clear();
  block.cases.reserve(count);  // records_ points into it
  const Stopwatch watch;
  while (block.count < count && block.given_up.empty() && !(block.count > 0 && stop && stop())) {
    const std::size_t batch = std::min<std::uint64_t>(batch_, count - block.count);
    if (before_batch) before_batch(first + block.count, batch);
    run_batch(first + block.count, batch, block);
  }
  block_size_ = watch.seconds() < kLongBlock ? std::min(kMostInBlock, 2 * block_size_)
                                             : std::max<std::size_t>(1, block_size_ / 2);
}

void Job::resize(std::size_t count) {
  programs_.resize(count);
  records_.resize(count);
  for (Side& side : sides_) {
    side.states.resize(count);
    side.outcomes.resize(count);
  }
}

/// Generates `count` cases, runs them together, and checks them one after the other.
void Job::run_batch(std::uint64_t first, std::size_t count, Block& block) {
  std::size_t sent = 0;
  for (std::uint64_t index = first; index < first + count; ++index) {
    CaseRecord& record = block.add();
    if (checker_->prepare(sent, index, programs_[sent], record)) {
      records_[sent++] = &record;
    } else {
      record.done = true;
      record.verdict = Verdict::skipped;
    }
  }
  for (std::size_t n = 0; n < backends_.size(); ++n) {
    run_all(*backends_[n], {std::span(programs_).first(sent), std::span(sides_[n].states).first(sent),
                            std::span(sides_[n].outcomes).first(sent)});
    if (backends_[n]->given_up && block.given_up.empty()) block.given_up = backends_[n]->given_up();
  }
  for (std::size_t slot = 0; slot < sent; ++slot) finish(slot, *records_[slot]);
}

/// Checks the case in place `slot`, unless a backend did not run it.
void Job::finish(std::size_t slot, CaseRecord& record) {
  answers_.clear();
  for (std::size_t n = 0; n < sides_.size(); ++n) {
    const Outcome& outcome = sides_[n].outcomes[slot];
    if (std::holds_alternative<NotRun>(outcome)) return;
    if (const auto* errored = std::get_if<Errored>(&outcome); errored != nullptr && errored->died)
      record.died.push_back(n);
    answers_.push_back({outcome, sides_[n].states[slot]});
  }
  record.done = true;
  checker_->check(slot, programs_[slot], answers_, record);
}

}  // namespace lanecheck
