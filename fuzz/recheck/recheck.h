// Is a finding of an earlier run still there? Runs its smallest program, its first case and fresh programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/run/run.h"
#include "reports/saved/saved_cases.h"

namespace lanecheck {

enum class FindingNow : std::uint8_t {
  fixed,    ///< no program shows it
  changed,  ///< its programs diverge with another cause
  still,
  not_asked  ///< the backend skips its smallest program or was given up, or the case file cannot be read
};
inline constexpr std::string_view kFindingNowNames[] = {"fixed", "changed", "still", "not asked"};

struct Rechecked {
  std::string id;
  FindingNow now = FindingNow::fixed;
  std::uint64_t programs = 0;      ///< how many really ran; a finding that is still there needs no more
  bool failed = false;             ///< the backend failed on a program: it crashed or hung
  std::string shown_by;            ///< still, changed: "the smallest program"; not asked: why
  std::vector<std::string> other;  ///< the ids of other findings that were met, those of the report too
};

/// How many fresh programs are run beside the smallest program and the first case.
inline constexpr std::size_t kFreshPrograms = 100;

/// The options of the run that wrote the report.
RunOptions options_of(const SavedCases& run);

/// `options` are those of the run, with the readings that `backend` follows. Throws InputError for a finding
/// of a comparison of two backends.
Rechecked recheck(const SavedCases& run, const SavedCase& finding, const RunOptions& options,
                  const Backend& backend);

}  // namespace lanecheck
