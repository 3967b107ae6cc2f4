// The case files of a replay, judged one after the other: their verdicts and findings as a report.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

#include "corpus/case.h"
#include "fuzz/run/buckets.h"
#include "fuzz/run/run.h"
#include "reports/terminal.h"

namespace lanecheck {

/// What a replay says of one case.
struct ReplayVerdict {
  Verdict verdict = Verdict::conforms;
  std::string note;  ///< why it is skipped or undecided, or the ids of its findings
};

class Replay {
 public:
  /// `on_finding` is called for the first case of each finding, `options` are without the readings of a file.
  Replay(const Backend& backend, RunOptions options, std::function<void(const Finding&)> on_finding);

  /// Judges the backend on a case file, and the file by the oracle. `name` is its path.
  ReplayVerdict judge_file(const std::string& name, const Case& c);
  /// Judges the backend on generated case `index`, as `run` sends it.
  ReplayVerdict judge_generated(std::uint64_t index);
  void add_unreadable(const std::string& why);
  /// The report so far; `interrupted`: not all files were judged.
  Report take_report(bool interrupted, std::uint64_t planned);

 private:
  ReplayVerdict judge_program(const Program& program, const RunOptions& run, const std::string& about,
                              const std::string& file, std::uint64_t index);
  void add(Finding finding, const std::string& file, std::uint64_t index);
  ReplayVerdict counted(ReplayVerdict verdict);

  const Backend& backend_;
  RunOptions options_;
  std::function<void(const Finding&)> on_finding_;
  Buckets buckets_;
  Report report_;
};

/// Prints each new finding on standard output at once, and stops with the user's signal.
RunHooks hooks_that_print(Style style);
/// The words of a tally for one and for several.
struct CountedWords {
  std::string_view one, several;
};
/// "3 cases, 1 diverges, 2 files could not be read": `judged` are the cases, `faults` the files.
void print_tally(std::ostream& out, const Report& report, CountedWords judged, CountedWords faults);
/// What is worse than a bad file hides it: a divergence, then a failure.
int exit_code_of_files(const Report& report);

}  // namespace lanecheck
