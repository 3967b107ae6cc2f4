#include "fuzz/backend/isolation.h"

#include <algorithm>
#include <thread>

#include "fuzz/backend/stopwatch.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostBytes = 4u << 20;  // of UB in one request, so that a message stays below its limit

/// The first programs of a batch, at most `most` of them, that may travel together.
std::size_t together(std::span<const Program> programs, std::size_t most) {
  std::size_t count = 0, bytes = 0;
  while (count < std::min(most, programs.size()) &&
         (count == 0 || bytes + programs[count].ub.size() <= kMostBytes))
    bytes += programs[count++].ub.size();
  return count;
}

}  // namespace

Isolation::~Isolation() {
  if (worker_) worker_->end(false);
}

/// Is there a worker, or can one be started? The more deaths in a row, the longer the wait before.
bool Isolation::alive() {
  if (worker_) return true;
  if (!unstartable_.empty()) return false;
  if (in_a_row_ > 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(10u << std::min(in_a_row_ - 2, 5u)));
  try {
    worker_ = start_();
  } catch (const BackendFailure& failure) {
    unstartable_ = std::string("cannot be started again: ") + failure.what();
    given_up_ = unstartable_;
  }
  return worker_ != nullptr;
}

/// Runs a batch in the present life; a breakdown ends that life.
std::optional<Breakdown> Isolation::attempt(const Batch& batch) {
  if (!alive()) return Breakdown{unstartable_};
  const Stopwatch watch;
  auto breakdown = worker_->run(batch);
  took_ = watch.seconds();
  if (!breakdown) {
    in_a_row_ = 0;
    return {};
  }
  ++in_a_row_;
  lives_.push_back(worker_->end(true));
  lives_.back().end = breakdown->what;
  worker_.reset();
  return breakdown;
}

/// After a batch broke down: who did it?
void Isolation::one_by_one(const Batch& batch, const Breakdown& breakdown) {
  bool found = false;
  double took = 0;  // by those that run alone
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    if (!given_up_.empty()) {
      batch.outcomes[n] = NotRun{};
      continue;
    }
    const auto alone = batch.programs.size() == 1 ? breakdown : attempt(batch.part(n, 1));
    took += took_;
    if (!alone) continue;
    found = true;
    batch.outcomes[n] = Errored{alone->what, true};
    if (++deaths_ > most_restarts_) given_up_ = "it died " + std::to_string(deaths_) + " times (--restarts)";
  }
  const bool slow = breakdown.late && took > deadline_ / 2;  // too much for one batch, and no one's fault
  if (!found && !slow)
    batch.outcomes[0] =
        Errored{breakdown.what + "; it failed only when these programs were sent as one batch", true};
}

void Isolation::run(const Batch& batch) {
  for (std::size_t from = 0; from < batch.programs.size();) {
    const Batch part = batch.part(from, together(batch.programs.subspan(from), chunk_));
    if (!given_up_.empty()) {
      for (Outcome& outcome : part.outcomes) outcome = NotRun{};
    } else if (const auto breakdown = attempt(part)) {
      one_by_one(part, *breakdown);
      chunk_ = 1;
    } else if (took_ < deadline_ / 16) {
      chunk_ = std::min(kMostBatch, chunk_ * 2);
    } else if (took_ > deadline_ / 4) {
      chunk_ = std::max<std::size_t>(1, chunk_ / 2);
    }
    from += part.programs.size();
  }
}

Outcome Isolation::run_one(const Program& program, State& state) {
  Outcome outcome;
  if (const auto breakdown = attempt({{&program, 1}, {&state, 1}, {&outcome, 1}}))
    return Errored{breakdown->what, true};
  return outcome;
}

std::vector<BackendProcess> Isolation::processes() {
  if (worker_) lives_.push_back(worker_->end(false));
  worker_.reset();
  return lives_;
}

Backend attach(const Hello& hello, std::shared_ptr<Isolation> isolation) {
  Backend backend;
  backend.name = hello.name;
  backend.about = hello.version;
  backend.shows_mask = hello.shows_mask;
  backend.shows_mode = hello.shows_mode;
  backend.reports_refusals = hello.reports_refusals;
  backend.profiles = hello.profiles;
  backend.readings = hello.readings;
  backend.capabilities = hello.capabilities;
  backend.batch = kMostBatch;
  backend.run = [isolation](const Program& program, State& state) {
    return isolation->run_one(program, state);
  };
  backend.run_batch = [isolation](const Batch& batch) { isolation->run(batch); };
  backend.processes = [isolation] { return isolation->processes(); };
  backend.given_up = [isolation] { return isolation->given_up(); };
  return backend;
}

}  // namespace lanecheck
