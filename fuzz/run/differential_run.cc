#include "fuzz/run/differential_run.h"

#include "fuzz/run/differential_checker.h"
#include "fuzz/run/differential_sorter.h"
#include "fuzz/run/report_header.h"
#include "fuzz/run/run_loop.h"

namespace lanecheck {

Report run_differential(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                        const RunHooks& hooks, std::span<const std::pair<Backend, Backend>> jobs) {
  const RunHooks timed = with_clock(hooks);
  Report report = report_header(options, backend);
  report.about = "against " + other.name;
  report.compares_backends = true;
  report.shows_mask = backend.shows_mask && other.shows_mask;
  const auto job_of = [&](const Backend& one, const Backend& two) {
    const BackendPair pair(one, two, options.mix.profile, bitwise);
    return Job({&one, &two}, std::make_unique<DifferentialChecker>(options, pair));
  };
  std::vector<Job> at_work;
  for (const auto& [one, two] : jobs) at_work.push_back(job_of(one, two));
  if (jobs.empty()) at_work.push_back(job_of(backend, other));
  Checkpoint fresh(options.mix.profile);
  DifferentialSorter sorter(options, {backend, other, options.mix.profile, bitwise}, timed);
  run_cases(options, timed, at_work, sorter, timed.progress != nullptr ? *timed.progress : fresh, report)
      .write_into(report);
  sorter.write_into(report);
  return report;
}

}  // namespace lanecheck
