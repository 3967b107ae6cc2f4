// A list of known failures: which findings a backend is expected to have, and why. It is a JSON file,
// described by reports/known/known-failures.schema.json.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/saved/saved_report.h"

namespace lanecheck {

inline constexpr std::string_view kKnownFailuresSchema = "lanecheck-known-failures-1";

struct KnownFailure {
  std::string id;  ///< of the finding
  /// What the backend does there. `conforms`: the finding must not occur.
  FindingState expect = FindingState::diverges;
  std::string reason, link;
  std::string expires;  ///< YYYY-MM-DD, the last day on which the entry holds; empty: it holds for ever
  std::set<std::string> backends;      ///< names of the backends for which it holds; empty: all
  std::set<std::string> profiles;      ///< the same for profiles
  std::set<std::string> rules;         ///< the rules that the finding broke when it was added
  std::set<std::string> instructions;  ///< the instructions in which it was seen, such as "add.f16"
  std::string cause;                   ///< the measured cause, if there was one
  /// It was seen in so many of so many cases. 0 of 0: not known.
  std::uint64_t seen = 0, of = 0;
};

struct KnownFailures {
  std::string file;
  std::vector<KnownFailure> entries;
};

/// Throws InputError, which names the file, the path inside it and what is wrong. Two entries of one id must
/// not hold for one backend in one profile.
KnownFailures load_known_failures(const std::filesystem::path& file);
KnownFailures parse_known_failures(std::string_view text, const std::string& file);

std::string print_known_failures(const KnownFailures& known);

/// `text` if it is a date of the calendar written as YYYY-MM-DD. Throws InputError if not.
std::string checked_date(const std::string& text, const std::string& where);

bool holds_for(const KnownFailure& entry, std::string_view backend, std::string_view profile);

/// The first entry of `id` that holds for the backend and the profile of `report`, or nullptr.
const KnownFailure* find_known_failure(const KnownFailures& known, std::string_view id,
                                       const SavedReport& report);

}  // namespace lanecheck
