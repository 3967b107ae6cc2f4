// What became of each finding over the runs of a history: first seen, last seen, fixed, flaky.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/history/history_file.h"

namespace lanecheck {

enum class Trend : std::uint8_t {
  fresh,     ///< it was never seen before the last run
  returned,  ///< it was fixed, and the last run has it again
  still,     ///< the last run has it, as an earlier one
  fixed,     ///< it was seen, and the last run that exercised it does not have it
  flaky      ///< the same cases on the same version of the backend had it and did not have it
};

std::string_view name_of(Trend trend);

/// One finding of one backend in one profile.
struct TrackedFinding {
  std::string backend, profile, id;
  Trend trend = Trend::still;
  FindingState state = FindingState::diverges;  ///< in the last run that has it
  std::string what;
  std::string first_seen, last_seen;  ///< dates
  std::string first_version;          ///< of the backend in which it was first seen
  /// When it came, or when it was fixed: the date and the backend's version of the first run that agrees with
  /// the last one.
  std::string since, since_version;
  unsigned runs_with = 0;       ///< runs that have it
  unsigned runs_exercised = 0;  ///< runs that have it, or that exercised its rules
};

/// `runs` are sorted by date. The findings are sorted by backend, profile and id.
std::vector<TrackedFinding> track_findings(const std::vector<DatedReport>& runs);

}  // namespace lanecheck
