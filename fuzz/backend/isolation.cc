#include "fuzz/backend/isolation.h"

#include <algorithm>
#include <thread>

#include "fuzz/backend/stopwatch.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostBytes = 4u << 20;  // of UB in one request, so that a message stays below its limit

/// The first programs of a batch, at most `most` of them, that may be sent together.
std::size_t together(std::span<const Program> programs, std::size_t most) {
  std::size_t count = 0, bytes = 0;
  while (count < std::min(most, programs.size()) &&
         (count == 0 || bytes + programs[count].ub.size() <= kMostBytes))
    bytes += programs[count++].ub.size();
  return count;
}

}  // namespace

std::string died_too_often(unsigned deaths) {
  return "it died " + std::to_string(deaths) + " times (--restarts)";
}

Isolation::~Isolation() {
  if (worker_) worker_->end(Ending::orderly);
}

/// Is there a process, or can one be started? If two or more ended in a row, it waits a little before it
/// starts one: 10 to 40 ms, because what explains a backend that dies asks dozens of them.
bool Isolation::alive() {
  if (worker_) return true;
  if (!unstartable_.empty()) return false;
  if (in_a_row_ > 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(10u << std::min(in_a_row_ - 2, 2u)));
  try {
    worker_ = start_();
  } catch (const std::exception& failure) {  // whatever it is, what was found so far must not be lost
    if (stopping()) return false;
    unstartable_ = std::string("cannot be started again: ") + failure.what();
    given_up_ = unstartable_;
  }
  return worker_ != nullptr;
}

/// Runs a batch in the present process; a breakdown ends this process.
std::optional<Breakdown> Isolation::attempt(const Batch& batch, double allowance) {
  took_ = 0;
  if (stopping()) return Breakdown{"was interrupted", false, true};
  if (!alive()) return Breakdown{unstartable_, false, unstartable_.empty()};
  const Stopwatch watch;
  auto breakdown = worker_->run(batch, allowance);
  took_ = watch.seconds();
  if (!breakdown) {
    in_a_row_ = 0;
    return {};
  }
  ++in_a_row_;
  ended_.push_back(worker_->end(Ending::forced));
  ended_.back().failed = !breakdown->stopped;
  ended_.back().end = breakdown->what;
  worker_.reset();
  return breakdown;
}

void Isolation::record_death(Outcome& outcome, const Breakdown& breakdown) {
  outcome = Errored{breakdown.what, true};
  if (++deaths_ > most_restarts_) given_up_ = died_too_often(deaths_);
}

/// Runs the programs one by one, to find the one that broke the backend. True if one of them fails alone.
bool Isolation::run_one_by_one(const Batch& batch) {
  bool found = false;
  double took = 0;
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    if (ended()) {
      batch.outcomes[n] = NotRun{};
      continue;
    }
    const auto alone = attempt(batch.part(n, 1), deadline_);
    took += took_;
    if (!alone) continue;
    if (alone->stopped || !given_up_.empty()) {
      batch.outcomes[n] = NotRun{};
      continue;
    }
    found = true;
    record_death(batch.outcomes[n], *alone);
  }
  took_ = took;
  return found;
}

/// A process that was only too slow for a batch did not fail.
void Isolation::forgive_slowness(std::size_t process, std::size_t programs) {
  ended_[process].end = "slow: " + std::to_string(programs) +
                        " programs together missed the deadline for one program, each alone met it";
  ended_[process].failed = false;
}

/// Finds out whether a batch broke down because of one program, of all of them together, or of a slow
/// machine.
void Isolation::handle_breakdown(const Batch& batch, const Breakdown& breakdown) {
  if (breakdown.stopped || !given_up_.empty()) {
    for (Outcome& outcome : batch.outcomes) outcome = NotRun{};
    return;
  }
  if (batch.programs.size() == 1) return record_death(batch.outcomes[0], breakdown);
  const std::size_t process = ended_.size() - 1;
  if (run_one_by_one(batch) || ended()) return;
  if (breakdown.late) {
    if (took_ > deadline_ / 2) return forgive_slowness(process, batch.programs.size());
    const auto again = attempt(batch, deadline_ + 20 * took_);  // enough, even on a very busy machine
    if (!again) return forgive_slowness(process, batch.programs.size());
    if (again->stopped) return handle_breakdown(batch, *again);
  }
  record_death(batch.outcomes[0],
               {breakdown.what + "; it failed only when these programs were sent as one batch"});
}

/// A batch should take a small part of the deadline, also when the machine is busy for a while: batches grow
/// while they do, and otherwise get as many programs as the backend ran in this time.
void Isolation::choose_chunk(std::size_t programs) {
  const double most = deadline_ / 16;
  if (took_ < most) {
    chunk_ = std::min(kMostBatch, 2 * chunk_);
    return;
  }
  chunk_ = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(programs) * most / took_));
}

void Isolation::run(const Batch& batch) {
  ran_cases_ = true;
  for (std::size_t from = 0; from < batch.programs.size();) {
    const Batch part = batch.part(from, together(batch.programs.subspan(from), chunk_));
    from += part.programs.size();
    if (!given_up_.empty()) {
      for (Outcome& outcome : part.outcomes) outcome = NotRun{};
    } else if (const auto breakdown = attempt(part, deadline_)) {
      handle_breakdown(part, *breakdown);
      chunk_ = 1;
    } else {
      choose_chunk(part.programs.size());
    }
  }
}

Outcome Isolation::run_one(const Program& program, State& state) {
  Outcome outcome;
  if (const auto breakdown = attempt({{&program, 1}, {&state, 1}, {&outcome, 1}}, deadline_)) {
    if (breakdown->stopped || !unstartable_.empty()) return NotRun{};
    return Errored{breakdown->what, true};
  }
  return outcome;
}

void Isolation::restart() {
  if (!worker_) return;
  BackendProcess ended = worker_->end(Ending::orderly);
  worker_.reset();
  if (ran_cases_ || ended.failed) ended_.push_back(std::move(ended));
  ran_cases_ = false;
}

std::vector<BackendProcess> Isolation::processes() {
  if (worker_) ended_.push_back(worker_->end(Ending::orderly));
  worker_.reset();
  return ended_;
}

BackendProcess end_process(Child& child, Ending ending, std::uint64_t answered) {
  BackendProcess process{answered, child.end(ending), ending == Ending::forced, {}};
  process.output = child.output();
  return process;
}

void require_same(const Hello& first, const Hello& next) {
  Hello ordered = next;  // offers that come out of a set have another order in each process
  if (std::ranges::is_permutation(first.capabilities.rows, next.capabilities.rows))
    ordered.capabilities.rows = first.capabilities.rows;
  if (std::ranges::is_permutation(first.profiles, next.profiles)) ordered.profiles = first.profiles;
  if (first != ordered)
    throw BackendFailure(
        "it answered hello in another way than before (name, offers, profiles, encodings, ...)");
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
  backend.most_deaths = isolation->most_restarts();
  backend.run = [isolation](const Program& program, State& state) {
    return isolation->run_one(program, state);
  };
  backend.run_batch = [isolation](const Batch& batch) { isolation->run(batch); };
  backend.processes = [isolation] { return isolation->processes(); };
  backend.restart = [isolation] { isolation->restart(); };
  backend.given_up = [isolation] { return isolation->given_up(); };
  return backend;
}

}  // namespace lanecheck
