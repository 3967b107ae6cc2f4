#include "fuzz/run/run_loop.h"

#include <sstream>

#include "fuzz/backend/isolation.h"
#include "fuzz/run/crew.h"

namespace lanecheck {
namespace {

/// "stopped after 22 s, --seconds"
std::string out_of_time_text(double seconds) {
  std::ostringstream text;
  text << "stopped after " << seconds << " s, --seconds";
  return text.str();
}

/// Takes the cases in order, counts them, and says when the run ends.
class Judge {
 public:
  Judge(const RunOptions& options, const RunHooks& hooks, const Job& job, FailureSorter& sorter, Tally& tally,
        Report& report)
      : options_(options),
        hooks_(hooks),
        backends_(job.backends()),
        deaths_(backends_.size()),
        sorter_(sorter),
        tally_(tally),
        report_(report) {}

  /// Counts the cases of a block, the next in order. False if the run ends with it.
  bool take(const Block& block) {
    for (std::size_t n = 0; n < block.count; ++n)
      if (!take(block.cases[n], block)) return false;
    report_.given_up = block.given_up;
    return goes_on();
  }

  /// Is there a reason to go on? If not, the report says why.
  bool goes_on() {
    if (tally_.done() >= options_.cases || !report_.given_up.empty()) return false;
    if (hooks_.on_progress && tally_.done() > 0)
      hooks_.on_progress(tally_.done(), hooks_.clock(), sorter_.findings());
    return !must_stop();
  }

 private:
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
    tally_.count(record);
    if (record.failed) tally_.count(sorter_.sort(*record.failed));
    for (const std::size_t side : record.died)
      if (++deaths_[side] > backends_[side]->most_deaths) report_.given_up = died_too_often(deaths_[side]);
    if (!report_.given_up.empty()) return false;
    const bool last = tally_.done() >= options_.cases;
    return last || !record.failed || !must_stop();
  }

  const RunOptions& options_;
  const RunHooks& hooks_;
  const std::vector<const Backend*>& backends_;
  std::vector<unsigned> deaths_;  ///< of the processes of each backend
  FailureSorter& sorter_;
  Tally& tally_;
  Report& report_;
};

/// Runs all cases in the thread of the caller.
void run_alone(const RunOptions& options, const RunHooks& hooks, Job& job, Judge& judge) {
  const auto stop = [&] { return (hooks.stop && hooks.stop()) || time_is_over(options, hooks); };
  Block block;
  std::uint64_t next = options.first, left = options.cases;
  for (bool on = judge.goes_on(); on && left > 0; on = judge.take(block)) {
    job.run(next, std::min<std::uint64_t>(job.block_size(), left), stop, hooks.before_batch, block);
    next += block.count;
    left -= block.count;
  }
}

}  // namespace

void run_cases(const RunOptions& options, const RunHooks& hooks, std::span<Job> jobs, FailureSorter& sorter,
               Tally& tally, Report& report) {
  Judge judge(options, hooks, jobs.front(), sorter, tally, report);
  if (jobs.size() == 1) {
    run_alone(options, hooks, jobs.front(), judge);
  } else if (judge.goes_on()) {
    Crew crew(options, hooks, jobs);
    for (Block block; crew.next(block) && judge.take(block);) {
    }
  }
  report.seconds = hooks.clock();
  for (const Job& job : jobs)
    for (const Backend* each : job.backends())
      if (each->processes)
        for (BackendProcess& process : each->processes()) report.processes.push_back(std::move(process));
}

}  // namespace lanecheck
