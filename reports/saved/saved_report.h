// A JSON report that an earlier run has written, read back: what baselines, comparisons and history need of
// it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

/// What a backend does where a finding is. A later state is worse.
enum class FindingState : std::uint8_t { conforms, diverges, refused, crashed, hung };
inline constexpr std::array<std::string_view, 5> kFindingStateNames = {"conforms", "diverges", "refused",
                                                                       "crashed", "hung"};

std::string_view name_of(FindingState state);
std::optional<FindingState> find_finding_state(std::string_view name);

struct SavedFinding {
  std::string id;
  /// An undecided finding diverges in a strict run. In other runs it conforms.
  FindingState state = FindingState::diverges;
  std::string what;
  std::string cause;            ///< of a measured finding; else empty
  std::set<std::string> rules;  ///< the broken rules
  /// Mnemonics such as "add.f16" in which the finding was seen. A program that the backend refuses or that
  /// breaks it has no diverging instruction: then these are all instructions of the minimized program that
  /// have an element type.
  std::set<std::string> instructions;
  std::uint64_t cases = 0;
};

struct SavedReport {
  std::string file;                   ///< the file that the report was read from
  std::string version;                ///< of lanecheck
  std::string backend, about, other;  ///< other: the backend that it was compared with; else empty
  std::string profile;
  std::uint64_t seed = 0, first = 0, planned = 0, done = 0;
  bool strict = false, replayed = false, judges_refusals = false, shows_mask = false;
  std::map<std::string, std::string> readings;
  /// How it was judged: under which readings, against which backend, with which programs at the edge of
  /// legality. Only runs that were judged in the same way can be compared over time.
  std::string judged;
  std::map<std::string, std::uint64_t> exercised;     ///< by rule: cases or instructions that exercised it
  std::map<std::string, std::uint64_t> instructions;  ///< by name without types: how many were judged
  std::vector<SavedFinding> findings;                 ///< sorted by id; each id once
  std::vector<std::string> gaps;  ///< sentences: why the report does not say all that a whole run would say
};

/// Throws InputError, which names the file and what is wrong, unless the file is a whole report of the schema
/// version that this lanecheck writes.
SavedReport load_saved_report(const std::filesystem::path& file);
SavedReport parse_saved_report(std::string_view text, const std::string& file);

/// The finding with this id, or nullptr.
const SavedFinding* find_finding(const SavedReport& report, std::string_view id);

/// Whether the report is without gaps and exercised all of these rules: a finding that breaks them and is not
/// in the report then did not occur.
bool was_exercised(const SavedReport& report, const std::set<std::string>& rules);

}  // namespace lanecheck
