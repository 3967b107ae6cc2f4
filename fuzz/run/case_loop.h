// The loop of every run: cases in batches, until all are done, the time is over, someone stops it, or the
// backend is given up.
#pragma once

#include <algorithm>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/run/run.h"

namespace lanecheck {

/// Calls some(first, count) for the cases of a run; it counts them in report.done. `findings()`: how many
/// there are so far, for the progress line.
template <class Findings, class Some>
void for_all_cases(const RunOptions& options, const RunHooks& hooks, std::size_t batch, Report& report,
                   Findings findings, Some some) {
  constexpr std::uint64_t kLookEvery = 4096;  // cases, where a batch is one case
  const Stopwatch watch;
  std::uint64_t looked = 0;
  while (report.done < options.cases && report.given_up.empty()) {
    if (batch > 1 || report.done - looked >= kLookEvery) {
      if (hooks.on_progress && report.done > 0) hooks.on_progress(report.done, watch.seconds(), findings());
      if (options.seconds > 0 && watch.seconds() >= options.seconds) break;
      looked = report.done;
    }
    if (hooks.stop && hooks.stop()) {
      report.interrupted = true;
      break;
    }
    some(options.first + report.done, std::min<std::uint64_t>(batch, options.cases - report.done));
  }
  report.seconds = watch.seconds();
}

}  // namespace lanecheck
