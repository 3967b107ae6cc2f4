#include "fuzz/run/run_loop.h"

#include <future>
#include <sstream>

#include "fuzz/backend/isolation.h"
#include "fuzz/run/crew.h"
#include "reports/format.h"

namespace lanecheck {
namespace {

/// "stopped after 22 s, --seconds"
std::string out_of_time_text(double seconds) {
  std::ostringstream text;
  text << "stopped after " << seconds << " s, --seconds";
  return text.str();
}

/// The chance up to which a fault shows in a drawn program and was not seen, by the rule of three. 1 if a
/// case failed, or was not run as a whole.
double risk_of(const Checkpoint& progress) {
  const Tally& tally = progress.tally;
  const auto kind = [&](Kind each) { return tally.kinds[static_cast<std::size_t>(each)]; };
  const std::uint64_t drawn = kind(Kind::decisive) + kind(Kind::wild);
  const bool clean = progress.failed.empty() && tally.instructions_left_out == 0 &&
                     tally.verdicts[static_cast<std::size_t>(Verdict::skipped)] == 0;
  return clean && drawn > 0 ? 3 / static_cast<double>(drawn) : 1;
}

/// Takes the cases in order, counts them, and says when the run ends.
class Judge {
 public:
  Judge(const RunOptions& options, const RunHooks& hooks, const Job& job, FailureSorter& sorter,
        Checkpoint& progress, Report& report)
      : options_(options),
        hooks_(hooks),
        backends_(job.backends()),
        deaths_(backends_.size()),
        sorter_(sorter),
        progress_(progress),
        sorted_(options.mix.profile),
        report_(report) {}

  /// Counts the cases of a block, the next in order. False if the run ends with it.
  bool take(const Block& block) {
    for (std::size_t n = 0; n < block.count; ++n)
      if (!take(block.cases[n], block)) return false;
    report_.given_up = block.given_up;
    if (hooks_.on_block) hooks_.on_block();
    return goes_on();
  }

  /// Is there a reason to go on? If not, the report says why.
  bool goes_on() {
    if (progress_.done() >= options_.cases || !report_.given_up.empty() || has_enough()) return false;
    if (hooks_.on_progress && progress_.done() > 0)
      hooks_.on_progress(progress_.done(), hooks_.clock(), sorter_.findings());
    return !must_stop();
  }

  /// Runs and sorts the cases that failed before an interruption again. False if the run ends with one.
  bool sort_again(Job& job) {
    Block block;
    for (const std::uint64_t index : std::vector(progress_.failed)) {
      if (must_stop()) return false;
      job.run(index, 1, {}, {}, block);
      const CaseRecord& record = block.cases.front();
      if (!record.done) return take(record, block);
      if (!(record.failed ? sort(*record.failed, record.died) : sort_lost(index))) return false;
    }
    return true;
  }

  Tally tally() const {
    Tally all = progress_.tally;
    all.add(sorted_);
    return all;
  }

 private:
  /// A case that failed before the interruption and does not fail any more.
  bool sort_lost(std::uint64_t index) {
    Program program;
    generate(options_.seed, index, options_.mix, program);
    const Outcome outcome = Errored{"failed before the run was interrupted, and not when it was run again"};
    const State unchanged{program.ub};
    const AnswerView answer{outcome, unchanged};
    const std::vector<AnswerView> all(backends_.size(), answer);
    return sort({index, program, all}, {});
  }

  bool must_stop() {
    if (time_is_over(options_, hooks_)) {
      report_.stopped = out_of_time_text(options_.seconds);
      return true;
    }
    report_.interrupted = hooks_.stop && hooks_.stop();
    return report_.interrupted;
  }

  bool take(const CaseRecord& record, const Block& block) {
    if (!record.done) {
      report_.given_up = block.given_up;
      if (report_.given_up.empty()) must_stop();
      return false;
    }
    progress_.tally.count(record);
    if (!record.failed) return !has_enough();
    progress_.failed.push_back(record.failed->index);
    if (!sort(*record.failed, record.died) || has_enough()) return false;
    return progress_.done() >= options_.cases || !must_stop();
  }

  /// Is the condition of --until met before the last case?
  bool has_enough() {
    const Until& until = options_.until;
    if (until.text.empty() || progress_.done() >= options_.cases) return false;
    const bool enough = (until.findings > 0 && sorter_.findings() >= until.findings) ||
                        (until.risk > 0 && risk_of(progress_) < until.risk);
    if (enough)
      report_.stopped =
          "stopped after " + counted(progress_.done(), "case") + ", --until '" + until.text + "'";
    return enough;
  }

  /// Sorts a failed case. False if the backend has died too often.
  bool sort(const FailedCase& failed, const std::vector<std::size_t>& died) {
    sorted_.count(sorter_.sort(failed));
    for (const std::size_t side : died)
      if (++deaths_[side] > backends_[side]->most_deaths) report_.given_up = died_too_often(deaths_[side]);
    return report_.given_up.empty();
  }

  const RunOptions& options_;
  const RunHooks& hooks_;
  const std::vector<const Backend*>& backends_;
  std::vector<unsigned> deaths_;  ///< of the processes of each backend
  FailureSorter& sorter_;
  Checkpoint& progress_;
  Tally sorted_;  ///< the verdicts of the failed cases
  Report& report_;
};

/// Runs the cases in the thread of the caller.
void run_alone(const RunOptions& options, const RunHooks& hooks, Job& job, Judge& judge) {
  const auto stop = [&] { return (hooks.stop && hooks.stop()) || time_is_over(options, hooks); };
  Block block;
  std::uint64_t next = options.first, left = options.cases;
  do {
    job.run(next, std::min<std::uint64_t>(job.block_size(), left), stop, hooks.before_batch, block);
    next += block.count;
    left -= block.count;
  } while (judge.take(block));
}

/// The cases that `progress` does not have yet.
RunOptions rest_of(RunOptions options, const Checkpoint& progress) {
  options.first += progress.done();
  options.cases -= std::min(options.cases, progress.done());
  return options;
}

/// Ends the processes of all jobs at once: each may take a while to end.
void end_processes(std::span<Job> jobs, Report& report) {
  std::vector<std::future<std::vector<BackendProcess>>> ends;
  for (const Job& job : jobs)
    for (const Backend* each : job.backends())
      if (each->processes)
        ends.push_back(std::async(std::launch::async | std::launch::deferred, each->processes));
  for (auto& end : ends)
    for (BackendProcess& process : end.get()) report.processes.push_back(std::move(process));
}

}  // namespace

Tally run_cases(const RunOptions& options, const RunHooks& hooks, std::span<Job> jobs, FailureSorter& sorter,
                Checkpoint& progress, Report& report) {
  Judge judge(options, hooks, jobs.front(), sorter, progress, report);
  const RunOptions rest = rest_of(options, progress);
  const bool goes_on = judge.sort_again(jobs.front()) && judge.goes_on();
  if (goes_on && jobs.size() == 1) {
    run_alone(rest, hooks, jobs.front(), judge);
  } else if (goes_on) {
    Crew crew(rest, hooks, jobs);
    for (Block block; crew.next(block) && judge.take(block);) {
    }
  }
  report.seconds = hooks.clock();
  end_processes(jobs, report);
  return judge.tally();
}

}  // namespace lanecheck
