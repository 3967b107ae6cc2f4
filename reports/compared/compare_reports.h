// Which findings several reports have in common, and which only one of them has.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/saved/saved_report.h"

namespace lanecheck {

struct ComparedFinding {
  /// What one report says of it. No state: the report has no such finding, and did not exercise its rules.
  struct In {
    std::optional<FindingState> state;
    std::uint64_t cases = 0;
  };
  std::string id, what;
  std::set<std::string> instructions;
  std::vector<In> in;  ///< in the order of the reports

  bool fails_in(std::size_t report) const;
  /// How many reports have it.
  std::size_t failing() const;
};

/// The findings of one instruction in one element type.
struct ComparedInstruction {
  std::string mnemonic;           ///< such as "add.f16"
  std::vector<std::size_t> only;  ///< by report: how many findings only this report has
  std::size_t shared = 0;         ///< how many findings several reports have
};

struct ReportComparison {
  std::vector<std::string> names;         ///< of the reports: the backends if they differ, else the files
  std::vector<std::string> notes;         ///< what differs, although the reports can be compared
  std::vector<ComparedFinding> findings;  ///< sorted by id
  std::vector<ComparedInstruction> instructions;  ///< sorted by mnemonic
  std::optional<std::size_t> only_in;             ///< the findings are those that only this report has
};

/// Throws InputError, which says what differs, if the reports cannot be compared: another profile, other
/// readings, or other cases except if `other_cases` allows them.
ReportComparison compare_reports(const std::vector<SavedReport>& reports, bool other_cases);

/// The same with nothing but the findings that only the report `name` has: a name or a file of a report.
/// Throws InputError if no report or several have this name.
ReportComparison only_in(const ReportComparison& comparison, const std::vector<SavedReport>& reports,
                         const std::string& name);

/// Whether every finding is in every report, in the same state.
bool all_alike(const ReportComparison& comparison);

}  // namespace lanecheck
