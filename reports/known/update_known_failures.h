// Editing a list of known failures from a report.
#pragma once

#include <string>
#include <vector>

#include "reports/known/known_failures.h"

namespace lanecheck {

/// What the user says of new entries.
struct EntryWords {
  std::string reason, link, expires;
  bool all_backends = false, all_profiles = false;  ///< the entry is not limited to those of the report
};

/// Adds an entry for each of `ids`, or for every failure of the report that is not listed if `ids` is empty.
/// Returns what it did, a line for each entry. Throws InputError if an id is listed already or is no failure
/// of the report.
std::vector<std::string> add_known_failures(KnownFailures& known, const SavedReport& report,
                                            const std::vector<std::string>& ids, const EntryWords& words);

/// Adds entries that say that these findings must not occur. They need not be in the report.
std::vector<std::string> add_must_not_occur(KnownFailures& known, const SavedReport& report,
                                            const std::vector<std::string>& ids, const EntryWords& words);

/// Removes all entries of these ids. Throws InputError if an id has no entry.
std::vector<std::string> remove_known_failures(KnownFailures& known, const std::vector<std::string>& ids);

/// Brings the entries that hold for the report's backend and profile up to date: states, rules, instructions
/// and counts are taken from the report, fixed entries are removed, and split, merged and renamed entries get
/// their new ids. Reasons, links and dates stay. New failures are not added. An entry that holds for several
/// backends or profiles stays as it is, because one report does not speak of all of them.
std::vector<std::string> update_known_failures(KnownFailures& known, const SavedReport& report,
                                               const std::string& today);

}  // namespace lanecheck
