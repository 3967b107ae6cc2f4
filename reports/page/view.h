// What the renderers of this room show: a JSON report of `lanecheck run --json`, read and checked once.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/heat_map.h"

namespace lanecheck::page {

struct RuleView {
  std::string id, claim, document, section, standing;
  std::uint64_t exercised = 0, broken = 0, left_out = 0;
};

/// What became of the lanes of a run. The last three are faults.
enum class Lane : std::uint8_t { kept, written, wrongly_kept, wrongly_written, wrong_value };
inline constexpr Lane kEveryLane[] = {Lane::kept, Lane::written, Lane::wrongly_kept, Lane::wrongly_written,
                                      Lane::wrong_value};
std::string_view name_of(Lane lane);
constexpr bool is_wrong(Lane lane) {
  return lane >= Lane::wrongly_kept;
}

/// Lanes in a row, in one repeat, to which the same happened. A wrong lane stands alone, except if its
/// neighbours have the same values.
struct LaneRun {
  Lane lane = Lane::kept;
  unsigned column = 0;  ///< place in the row of the map: how many lanes of the repeat come before it
  unsigned block = 0, first = 0, count = 0;
  bool mask = false;  ///< the slot of the lanes
  std::string type, old, expected, actual;
};

/// Repeats in a row that look the same.
struct LaneLine {
  unsigned repeat = 0, repeats = 1;
  std::vector<LaneRun> runs;

  bool has_wrong() const;
};

struct FindingView {
  std::string id, verdict, matter, other, what, cause, first_file, instruction, program, mask_high, mask_low;
  std::string profile;            ///< of the minimized program
  std::string repeats;            ///< its class, if the backend is not always wrong; else empty
  std::string passes, predicate;  ///< as in Finding (reports/report.h)
  std::vector<RuleView> rules;
  std::vector<std::string> instructions;
  std::uint64_t cases = 0, first_case = 0, index = 0;
  bool mask_differs = false;
  std::vector<LaneLine> lanes;
  HeatMap heat;
  std::vector<std::string> outside;  ///< places of bytes that were changed outside of dst
  std::vector<std::string> before;   ///< the programs to run before the program, if the finding needs some
  nlohmann::json measured;           ///< the measured maps; null if there are none
  std::string bundle;   ///< folder with its case and tests, relative to the page; empty without a folder
  std::string trend;    ///< since when it is known, as a sentence; empty: there is no history
  bool is_new = false;  ///< it is in no earlier run of the history, or it had been fixed
  std::string anchor;   ///< unique in the report, and valid in an address and as an HTML id
};

struct UncertifiedView {
  std::string instruction, verdict, text;
};
struct CertificateView {
  std::uint64_t strength = 0;  ///< 0: the run made none
  std::vector<std::string> certified;
  std::vector<UncertifiedView> others;
};

/// A run of the history, of the same backend and profile.
struct PastRun {
  std::string date, version;  ///< version: what the backend says of itself
  std::uint64_t cases = 0, findings = 0;
};
struct TrendView {
  std::vector<PastRun> runs;      ///< in order; the last one is the run of the page
  std::vector<std::string> gone;  ///< sentences: findings that the run before had, and that are fixed
  /// Sentences: findings that are not in this run, which did not show that they are fixed.
  std::vector<std::string> not_judged;
};

struct Verdicts {
  std::uint64_t conforms = 0, diverges = 0, undecided = 0, skipped = 0, errored = 0;
};

/// One row of the list of facts about the run.
using Fact = std::pair<std::string, std::string>;

struct ReportView {
  std::string version, state, conclusion;
  std::string backend, about, profile;
  std::uint64_t seed = 0, first = 0, planned = 0, done = 0, unlisted = 0, at_edge = 0;
  std::uint64_t element_checks = 0, cells = 0;
  double seconds = 0;
  bool interrupted = false, replayed = false, strict = false;
  Verdicts verdicts;
  std::vector<Fact> pinned;
  std::vector<std::string> arguments, notes;  ///< notes: what else a reader must know
  std::vector<RuleView> rules, legality;
  std::vector<FindingView> findings;
  CertificateView certificate;
  TrendView trend;  ///< without runs: there is no history
};

/// What a certificate says of the certified instructions, and what it leaves out.
std::string sentence_of(const CertificateView& certificate);

/// Reads a report. Throws InputError, which begins with `name`, if `text` is not a whole report of the schema
/// that this lanecheck writes.
ReportView read_report(std::string_view text, const std::string& name);

/// How a rule fared in the run: "broken", "held", "not offered" or "not exercised".
std::string_view state_of(const RuleView& rule);

/// The command that shows a finding again, quoted for a shell.
std::string command_of(const ReportView& report, const FindingView& finding);
/// The command for any case of the run. The index of the case comes behind it.
std::string command_without_index(const ReportView& report);

}  // namespace lanecheck::page
