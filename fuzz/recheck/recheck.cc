#include "fuzz/recheck/recheck.h"

#include <algorithm>
#include <filesystem>

#include "fuzz/recheck/fresh_programs.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kNotRepeatable = "not-repeatable";
constexpr unsigned kMostNamed =
    12;  ///< fresh programs that diverge by something else, until naming them ends

class Recheck {
 public:
  Recheck(const SavedCases& run, const SavedCase& finding, const RunOptions& options, const Backend& backend)
      : run_(run), finding_(finding), options_(options), backend_(backend) {
    result_.id = finding.id;
  }

  Rechecked take() {
    if (auto why = not_on_offer(finding_.smallest.program, backend_)) return not_asked(*std::move(why));
    if (!show(finding_.smallest.program, "the smallest program", true) && !result_.failed) first_case();
    if (!decided() && !result_.failed) fresh();
    if (backend_.given_up && result_.now != FindingNow::still)
      if (std::string why = backend_.given_up(); !why.empty()) {
        result_.failed = true;
        return not_asked(std::move(why));
      }
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

  bool is_wanted(const Finding& found) const {
    return found.id == finding_.id || finding_.id == kNotRepeatable;
  }

  /// Notes what a program has shown. `own`: what it shows replaces the finding if it is not the finding.
  bool note(const Finding& found, const std::string& program, bool own) {
    if (is_wanted(found)) {
      result_.now = FindingNow::still;
      result_.shown_by = program;
      return true;
    }
    if (std::ranges::find(result_.other, found.id) == result_.other.end()) result_.other.push_back(found.id);
    if (own && result_.now == FindingNow::fixed) {
      result_.now = FindingNow::changed;
      result_.shown_by = program;
    }
    return false;
  }

  /// Runs a program. True if it shows the finding. A cause that the whole program does not tell is looked for
  /// again while the program is made smaller, as in a run.
  bool show(const Program& program, const std::string& name, bool own) {
    BackendAnswer answer;
    answer.outcome = backend_.run(program, answer.state);
    ++result_.programs;
    if (std::holds_alternative<Skipped>(answer.outcome) || std::holds_alternative<NotRun>(answer.outcome))
      return false;
    RunOptions quick = options_;
    quick.minimize = false;
    auto found = judge_answer(program, answer, quick, backend_);
    if (!found) return false;
    ++diverging_;
    result_.failed |= found->verdict == Verdict::errored;
    if (!is_wanted(*found) && !in_report(found->id) && !result_.failed)
      if (auto minimized = judge_answer(program, answer, options_, backend_)) found = std::move(minimized);
    return note(*found, name, own && (!in_report(found->id) || name == "the smallest program"));
  }

  bool in_report(const std::string& id) const {
    return std::ranges::find(run_.findings, id, &SavedCase::id) != run_.findings.end();
  }

  void first_case() {
    if (finding_.first_file.empty()) return generated_case();
    std::error_code error;
    if (!std::filesystem::is_regular_file(finding_.first_file, error)) return;
    show(load_case(finding_.first_file).program, "the first case", true);
  }

  /// The first case as the run made it: with edges of legality, without what the backend does not offer.
  void generated_case() {
    RunOptions one = options_;
    one.first = finding_.first_case;
    one.cases = 1;
    const Report report = lanecheck::run(one, backend_);
    ++result_.programs;
    for (const Finding& found : report.findings)
      if (note(found, "the first case", !in_report(found.id))) return;
  }

  void fresh() {
    const std::string instruction =
        finding_.instruction < finding_.smallest.program.instructions.size()
            ? mnemonic(finding_.smallest.program.instructions[finding_.instruction])
            : "";
    diverging_ = 0;
    for (const FreshProgram& each : fresh_programs(run_, finding_, backend_.capabilities, kFreshPrograms)) {
      if (diverging_ >= kMostNamed || result_.failed) return;
      if (not_on_offer(each.program, backend_)) continue;
      const std::string name =
          each.varied ? "the smallest program with other data" : "a generated case with " + instruction;
      if (show(each.program, name, each.varied)) return;
    }
  }

  const SavedCases& run_;
  const SavedCase& finding_;
  const RunOptions& options_;
  const Backend& backend_;
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
  if (!finding.other.empty())
    throw InputError("finding " + printable(finding.id),
                     "comes from a comparison with " + printable(finding.other) +
                         "; only findings of runs against the documents can be rechecked");
  return Recheck(run, finding, options, backend).take();
}

}  // namespace lanecheck
