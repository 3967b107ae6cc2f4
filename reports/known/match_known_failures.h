// Which finding of a report belongs to which known failure, and what became of each.
#pragma once

#include <string>
#include <vector>

#include "reports/known/known_failures.h"

namespace lanecheck {

/// What became of one entry or of one finding. The order is that of the printed lines.
enum class Transition : std::uint8_t {
  incomplete,     ///< the report does not say all that a whole run would say
  new_failure,    ///< a finding that no entry expects
  changed,        ///< an entry whose failure is in another state than expected
  fixed,          ///< an entry that was exercised and no longer occurs
  split,          ///< an entry that no longer occurs; several new findings look like it
  merged,         ///< several entries that no longer occur; one new finding looks like all of them
  renamed,        ///< an entry that no longer occurs; one new finding looks like it
  expired,        ///< an entry that no longer holds because of its date
  unknown,        ///< an entry of which the report cannot say whether it was exercised
  not_exercised,  ///< an entry that does not occur, but the run did not try enough to call it fixed
  known_failure,  ///< an entry that occurs as expected
  conforms,       ///< an entry that must not occur and does not
};
inline constexpr std::size_t kTransitions = 12;

/// From the expected state of a finding to its state in a report that exercised it.
Transition transition_of(FindingState expected, FindingState now);

struct MatchedEntry {
  const KnownFailure* entry;
  Transition transition;
  const SavedFinding* found = nullptr;  ///< the finding of this id
  /// The new findings that look like the entry if it is split, merged, renamed or, under another id, changed.
  std::vector<const SavedFinding*> successors;
  std::string why;  ///< not_exercised, unknown: the reason
};

/// Points into the list and the report that it was made from.
struct KnownFailuresMatch {
  std::vector<MatchedEntry> entries;              ///< those that hold for the report's backend and profile
  std::vector<const SavedFinding*> new_failures;  ///< findings that no entry expects or looks like
  std::size_t elsewhere = 0;                      ///< entries that hold for other backends or profiles
};

/// `today`: YYYY-MM-DD.
KnownFailuresMatch match_known_failures(const KnownFailures& known, const SavedReport& report,
                                        const std::string& today);

}  // namespace lanecheck
