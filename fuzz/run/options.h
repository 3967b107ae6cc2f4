// What a run is asked to do, and what it calls while it does it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "fuzz/generate/generate.h"
#include "reports/report.h"

namespace lanecheck {

/// When a run has done enough, before its cases are done. It ends at the boundary of a case, so that the same
/// number of cases gives the same report again.
struct Until {
  std::uint64_t findings = 0;  ///< the run ends when it has so many; 0: it does not look at them
  /// A clean run ends when the rule of three (reports/clean_run.h) gives a lower chance than this for a fault
  /// that was not seen; 0: it does not.
  double risk = 0;
  std::string text;  ///< as the user wrote it: "findings >= 5"
};

/// Reads "findings >= N" or "risk < X"; "" is no condition. Throws InputError.
Until read_until(const std::string& text);

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  ///< index of the first case
  std::uint64_t cases = kFullRun;
  /// How many of 32 drawn cases lie at an edge of legality (fuzz/generate/edge.h). Only backends that report
  /// refusals get such cases.
  unsigned illegal_in_32 = 1;
  double seconds = 0;  ///< the run ends after this time, also while it analyses a finding; 0 means no limit
  Until until;
  Mix mix;
  Readings readings;
  std::vector<std::string> pinned;  ///< ids of the readings that the user pinned
  std::size_t most_findings = 20;   ///< the run looks for no new mistakes after this many
  bool minimize = true;
};

/// `options` with the profile and the readings of a case file; these are then pinned.
RunOptions options_of(const Case& c, const RunOptions& options);

struct Checkpoint;

struct RunHooks {
  /// Called as soon as a finding is minimized.
  std::function<void(const Finding&)> on_finding = {};
  /// Called now and then during the run.
  std::function<void(std::uint64_t done, double seconds, std::size_t findings)> on_progress = {};
  /// Asked between cases and while a program is minimized; true ends the run. Several jobs ask it from their
  /// own threads.
  std::function<bool()> stop = {};
  /// Several jobs: called when the run ends. What the jobs still wait for should then end soon.
  std::function<void()> on_end = {};
  /// One job: called before the cases `first` to `first + count - 1` are run.
  std::function<void(std::uint64_t first, std::uint64_t count)> before_batch = {};
  /// How far the run has come; not null if it goes on after an interruption, or may have to. The run counts
  /// on in it, and calls `on_block` after each block of cases.
  Checkpoint* progress = nullptr;
  std::function<void()> on_block = {};
  /// Seconds since the run began. Empty: real time.
  std::function<double()> clock = {};
};

/// `hooks` with a clock that starts now, unless they have one.
RunHooks with_clock(RunHooks hooks);
/// Has the run used its time (RunOptions::seconds)?
bool time_is_over(const RunOptions& options, const RunHooks& hooks);
/// Says when a finding is to be analysed no further: the time is over, or the user stops the run. Refers to
/// both arguments.
std::function<bool()> end_of_analysis(const RunOptions& options, const RunHooks& hooks);
/// What the report says of a finding whose analysis was cut short.
std::string cut_short_text(const std::string& finding);

}  // namespace lanecheck
