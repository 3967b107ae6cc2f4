#include "fuzz/recheck/recheck.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "fuzz/explain/over_programs/trigger.h"
#include "fuzz/recheck/fresh_programs.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRandomAsks = 100;
constexpr std::string_view kStateDependent =
    kRepeatsNames[static_cast<std::size_t>(Repeats::state_dependent)];
/// Findings of `lanecheck replay` that say something of a case file and not of the backend.
constexpr std::string_view kOfAFile = "expectation-";
constexpr unsigned kMostNamed =
    12;  ///< fresh programs that diverge by something else, until naming them ends

/// Nothing if the program was run.
std::optional<std::string> why_not_run(const Outcome& outcome) {
  if (const auto* skipped = std::get_if<Skipped>(&outcome)) return skipped->why;
  if (std::holds_alternative<NotRun>(outcome)) return "the backend was given up";
  return {};
}

/// How near a program is to the finding: what it shows instead may be what the finding has become.
enum class Near : std::uint8_t { smallest_program, variation, another_program };

class Recheck {
 public:
  Recheck(const SavedCases& run, const SavedCase& finding, const RunOptions& options, const Backend& backend)
      : run_(run), finding_(finding), options_(options), backend_(backend) {
    result_.id = finding.id;
  }

  Rechecked take() {
    if (finding_.id.starts_with(kOfAFile)) return not_asked("run `lanecheck replay` again");
    if (auto why = not_on_offer(finding_.smallest.program, backend_)) return not_asked(*std::move(why));
    try {
      read_first_file();
    } catch (const InputError& error) {
      return not_asked(error.what());
    }
    if (!finding_.repeats.empty()) show_again();
    if (decided()) return std::move(result_);
    show(finding_.smallest.program, "the smallest program", Near::smallest_program);
    auto not_run = not_run_;
    if (!decided() && !not_run && !result_.failed) first_case();
    if (!decided() && !not_run && !result_.failed) fresh();
    if (backend_.given_up && result_.now != FindingNow::still)
      if (std::string why = backend_.given_up(); !why.empty()) {
        result_.failed = true;
        return not_asked(std::move(why));
      }
    if (not_run) return not_asked(*std::move(not_run));
    if (decided()) result_.failed = false;
    return std::move(result_);
  }

 private:
  bool decided() const { return result_.now == FindingNow::still; }

  Rechecked not_asked(std::string why) {
    result_.now = FindingNow::not_asked;
    result_.shown_by = std::move(why);
    return std::move(result_);
  }

  /// A case file is judged under its own readings. A file that is there no longer is left out.
  void read_first_file() {
    std::error_code error;
    if (finding_.first_file.empty() || !std::filesystem::is_regular_file(finding_.first_file, error)) return;
    const Case first = load_case(finding_.first_file);
    first_program_ = first.program;
    RunOptions own = options_of(first, options_);
    if (!departures(first.readings, default_readings(first.program.profile)).empty()) freely_ = options_;
    options_ = std::move(own);
  }

  bool is_wanted(const Finding& found) const {
    return found.id == finding_.id || finding_.id == kNotRepeatable;
  }

  /// Notes what a program has shown. `replaces`: what it shows replaces the finding if it is not the finding.
  bool note(const Finding& found, const std::string& program, bool replaces) {
    if (is_wanted(found)) {
      result_.now = FindingNow::still;
      result_.shown_by = program;
      return true;
    }
    if (std::ranges::find(result_.other, found.id) == result_.other.end()) result_.other.push_back(found.id);
    if (replaces && result_.now == FindingNow::fixed) {
      result_.now = FindingNow::changed;
      result_.shown_by = program;
    }
    return false;
  }

  /// Runs a program. True if it shows the finding. A cause that the whole program does not tell is looked for
  /// again while the program is made smaller, as in a run.
  bool show(const Program& program, const std::string& name, Near near) {
    BackendAnswer answer;
    answer.outcome = backend_.run(program, answer.state);
    not_run_ = why_not_run(answer.outcome);
    if (not_run_) return false;
    ++result_.programs;
    RunOptions quick = options_;
    quick.minimize = false;
    auto found = judge_answer(program, answer, quick, backend_);
    if (!found) return false;
    // A backend that follows the readings of the run, and not those of the case file, is right.
    if (freely_ && admits(*freely_, program, answer, backend_)) return false;
    ++diverging_;
    result_.failed |= found->verdict == Verdict::errored;
    if (!is_wanted(*found) && !in_report(found->id) && !result_.failed)
      if (auto minimized = judge_answer(program, answer, options_, backend_)) found = std::move(minimized);
    const bool replaces =
        near == Near::smallest_program || (near == Near::variation && !in_report(found->id));
    return note(*found, name, replaces);
  }

  /// Asks again and again about a program that the backend is not always wrong about, each time after the
  /// programs that bring it about. A rare fault may not show.
  void show_again() {
    const Documented documented(options_.mix.profile, options_.readings, options_.pinned);
    AskedBackend asked(backend_, options_.mix.profile);
    const auto length = static_cast<unsigned>(finding_.before.size() + 2);
    AskAgain ask(asked, documented, std::max(kRandomAsks, kAsks * length));
    std::string shown_by = finding_.repeats == kStateDependent ? shown_by_state(ask) : shown_by_chance(ask);
    ask.start_afresh();
    result_.programs += asked.questions();
    if (shown_by.empty()) return;
    result_.now = FindingNow::still;
    result_.shown_by = std::move(shown_by);
  }

  std::string shown_by_chance(AskAgain& ask) const {
    const Asks asks = ask.ask_here(finding_.smallest.program, kRandomAsks, true);
    return asks.wrong == 0 ? "" : "the smallest program, asked " + counted(asks.asked, "time");
  }

  /// Another fault may make the smallest program wrong whatever ran before it. So the program must be right
  /// without the programs before it; a program that is wrong as the first of a process, right after that.
  std::string shown_by_state(AskAgain& ask) const {
    const Program& smallest = finding_.smallest.program;
    const bool is_first = finding_.before.empty();
    if (ask.ask_afresh(smallest, kAsks, finding_.before).wrong == 0) return {};
    const Asks control = is_first ? ask.ask_here(smallest, kAsks) : ask.ask_afresh(smallest, kAsks);
    if (ask.can_start_afresh() && !control.never_wrong()) return {};
    return is_first ? "the smallest program as the first one of a process"
                    : "the smallest program after the programs before it";
  }

  bool in_report(const std::string& id) const {
    return std::ranges::find(run_.findings, id, &SavedCase::id) != run_.findings.end();
  }

  void first_case() {
    if (finding_.first_file.empty()) return generated_case();
    if (first_program_ && !not_on_offer(*first_program_, backend_))
      show(*first_program_, "the first case", Near::variation);
  }

  /// The first case as the run made it: with edges of legality, without what the backend does not offer.
  void generated_case() {
    RunOptions one = options_;
    one.first = finding_.first_case;
    one.cases = 1;
    const Report report = lanecheck::run(one, backend_);
    result_.programs += report.done - report.skipped;
    result_.failed |= report.errored > 0;
    for (const Finding& found : report.findings)
      if (note(found, "the first case", !in_report(found.id))) return;
  }

  void fresh() {
    const std::string instruction =
        finding_.instruction < finding_.smallest.program.instructions.size()
            ? mnemonic(finding_.smallest.program.instructions[finding_.instruction])
            : "";
    diverging_ = 0;
    const SavedCases settings{options_.mix.profile, run_.seed, options_.readings, {}, false, {}};
    for (const FreshProgram& each :
         fresh_programs(settings, finding_, backend_.capabilities, kFreshPrograms)) {
      if (diverging_ >= kMostNamed || result_.failed) return;
      if (not_on_offer(each.program, backend_)) continue;
      const std::string name =
          each.varied ? "the smallest program with other data" : "a generated case with " + instruction;
      if (show(each.program, name, each.varied ? Near::variation : Near::another_program)) return;
    }
  }

  const SavedCases& run_;
  const SavedCase& finding_;
  RunOptions options_;
  const Backend& backend_;
  std::optional<RunOptions> freely_;      ///< if the case file changes readings: those of the run
  std::optional<Program> first_program_;  ///< of the case file
  std::optional<std::string> not_run_;    ///< why the last program was not run
  Rechecked result_;
  unsigned diverging_ = 0;  ///< programs that showed another finding
};

}  // namespace

RunOptions options_of(const SavedCases& run) {
  RunOptions options;
  options.seed = run.seed;
  options.mix.profile = run.profile;
  options.readings = run.readings;
  options.pinned = run.pinned;
  if (run.illegal) options.illegal_in_32 = 32;
  return options;
}

Rechecked recheck(const SavedCases& run, const SavedCase& finding, const RunOptions& options,
                  const Backend& backend) {
  if (!finding.other.empty() && !finding.id.starts_with(kOfAFile))
    throw InputError("finding " + printable(finding.id),
                     "comes from a comparison with " + printable(finding.other) +
                         "; only findings of runs against the documents can be rechecked");
  return Recheck(run, finding, options, backend).take();
}

}  // namespace lanecheck
