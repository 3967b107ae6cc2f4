// The loop that every run shares: jobs run blocks of cases, until all are done, the time is over, the user
// stops the run, or a backend is given up. One judge takes the cases in order and alone owns the buckets and
// the counts, so the report has the same bytes for any number of jobs.
#pragma once

#include <span>

#include "fuzz/run/failure_sorter.h"
#include "fuzz/run/job.h"
#include "fuzz/run/tally.h"

namespace lanecheck {

/// `hooks` have a clock. Runs the cases that `progress` does not have yet on `jobs`, each in a thread of its
/// own if there are several, and counts them in `progress`. First it runs and sorts the failed cases of
/// `progress` again. Returns the tally of all cases, and writes into `report` why the run ended early, if it
/// did, and its time. Throws what a job throws.
Tally run_cases(const RunOptions& options, const RunHooks& hooks, std::span<Job> jobs, FailureSorter& sorter,
                Checkpoint& progress, Report& report);

}  // namespace lanecheck
