#include "fuzz/run/differential_run.h"

#include <algorithm>
#include <array>
#include <set>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/minimize.h"
#include "fuzz/run/case_loop.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"
#include "version.h"

namespace lanecheck {
namespace {

/// What both made of one program.
struct Answers {
  std::array<State, 2> states;
  std::array<Outcome, 2> outcomes;

  bool both_ran() const {
    return std::ranges::all_of(outcomes,
                               [](const Outcome& each) { return std::holds_alternative<Ran>(each); });
  }
};

class DifferentialRun {
 public:
  DifferentialRun(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                  const RunHooks& hooks)
      : options_(options),
        backends_{&backend, &other},
        bitwise_(bitwise),
        hooks_(hooks),
        documented_(options.readings) {
    report_.backend = backend.name;
    report_.about = "against " + other.name;
    report_.shows_mask = backend.shows_mask && other.shows_mask;
    report_.version = LANECHECK_VERSION;
    report_.seed = options.seed;
    report_.first = options.first;
    report_.planned = options.cases;
    report_.profile = options.mix.profile;
    report_.readings = options.readings;
  }

  Report all() {
    for_all_cases(
        options_, hooks_, std::max(backends_[0]->batch, backends_[1]->batch), report_,
        [this] { return report_.findings.size(); },
        [this](std::uint64_t first, std::uint64_t count) { some(first, count); });
    for (const Backend* each : backends_)
      if (each->processes)
        for (BackendProcess& process : each->processes()) report_.processes.push_back(std::move(process));
    report_.not_offered.assign(not_offered_.begin(), not_offered_.end());
    return std::move(report_);
  }

 private:
  void some(std::uint64_t first, std::uint64_t count) {
    programs_.resize(count);
    indices_.clear();
    for (std::uint64_t index = first; index < first + count; ++index) {
      Program& program = programs_[indices_.size()];
      generate(options_.seed, index, options_.mix, program);
      for (const Backend* each : backends_) leave_out(each->capabilities, program);
      if (!program.instructions.empty()) {
        indices_.push_back(index);
        continue;
      }
      ++report_.done;
      ++report_.skipped;
    }
    const auto programs = std::span(programs_).first(indices_.size());
    std::array<std::vector<State>, 2> states;
    std::array<std::vector<Outcome>, 2> outcomes;
    for (unsigned side = 0; side < 2; ++side) {
      states[side].resize(programs.size());
      outcomes[side].resize(programs.size());
      run_all(*backends_[side], {programs, states[side], outcomes[side]});
      if (backends_[side]->given_up && report_.given_up.empty())
        report_.given_up = backends_[side]->given_up();
    }
    for (std::size_t n = 0; n < programs.size(); ++n) {
      for (const Instruction& insn : programs[n].instructions) report_.element_checks += element_slots(insn);
      judge(indices_[n], programs[n],
            {{std::move(states[0][n]), std::move(states[1][n])}, {outcomes[0][n], outcomes[1][n]}});
    }
  }

  void leave_out(const Capabilities& offers, Program& program) {
    const auto left_out = restrict_to(offers, program);
    report_.instructions_left_out += left_out.size();
    for (const Instruction& insn : left_out) not_offered_.insert(mnemonic(insn));
  }

  void judge(std::uint64_t index, const Program& program, const Answers& answers) {
    const auto either = [&]<class Kind>(Kind) {
      return std::ranges::any_of(answers.outcomes,
                                 [](const Outcome& each) { return std::holds_alternative<Kind>(each); });
    };
    if (either(NotRun{})) return;
    ++report_.done;
    if (either(Skipped{})) {
      ++report_.skipped;
    } else if (either(Errored{})) {
      ++report_.errored;
    } else if (!differ(answers)) {
      ++report_.conforms;
    } else if (!matters(program, answers)) {
      ++report_.undecided;
    } else {
      const Verdict verdict = found(index, program);
      ++(verdict == Verdict::undecided ? report_.undecided : report_.diverges);
    }
  }

  bool documents_allow(const Program& program, const Answers& answers, unsigned side) const {
    return std::holds_alternative<Ran>(answers.outcomes[side]) &&
           compare(program, documented_, answers.states[side], backends_[side]->shown(options_.mix.profile))
               .agrees;
  }

  bool differ(const Answers& answers) const {
    if (answers.outcomes[0].index() != answers.outcomes[1].index()) return true;
    return answers.both_ran() && !identical(answers.states[0], answers.states[1], shown());
  }

  /// Do they differ in more than the documents leave free?
  bool matters(const Program& program, const Answers& answers) const {
    return differ(answers) &&
           (bitwise_ || !documents_allow(program, answers, 0) || !documents_allow(program, answers, 1));
  }

  Answers ask(const Program& program) const {
    Answers answers;
    for (unsigned side = 0; side < 2; ++side)
      answers.outcomes[side] = backends_[side]->run(program, answers.states[side]);
    return answers;
  }

  /// The number of instructions after which they first differ; nothing when they do not.
  std::optional<std::size_t> first_difference(const Program& program) const {
    Program part = program;
    for (std::size_t count = 0; count <= program.instructions.size(); ++count) {
      part.instructions.assign(program.instructions.begin(),
                               program.instructions.begin() + static_cast<std::ptrdiff_t>(count));
      if (matters(part, ask(part))) return count;
    }
    return {};
  }

  static std::string id_of(const Program& program, std::size_t count) {
    return "differs-" + (count == 0 ? std::string("at-start")
                                    : std::string(row_of(program.instructions[count - 1].op).name));
  }

  Verdict found(std::uint64_t index, const Program& program) {
    const auto count = first_difference(program);
    const std::string id = count ? id_of(program, *count) : "not-repeatable";
    for (Finding& each : report_.findings)
      if (each.id == id) {
        ++each.cases;
        return each.verdict;
      }
    if (report_.findings.size() >= options_.most_findings) return Verdict::diverges;
    Finding finding;
    finding.id = id;
    finding.matter = Matter::difference;
    finding.other = backends_[1]->name;
    finding.cases = 1;
    finding.first_case = index;
    finding.program = program;
    if (count && options_.minimize) {
      Minimized smallest = minimize(program, legal_under(options_.readings), [&](const Program& candidate) {
        const auto now = first_difference(candidate);
        return now && id_of(candidate, *now) == id;
      });
      finding.program = std::move(smallest.program);
      finding.tries = smallest.tries;
    }
    describe(finding);
    if (hooks_.on_finding) hooks_.on_finding(finding);
    report_.findings.push_back(std::move(finding));
    return report_.findings.back().verdict;
  }

  /// Where they differ, and which of the two the documents allow.
  void describe(Finding& finding) const {
    const Program& program = finding.program;
    const Answers answers = ask(program);
    finding.actual = answers.states[0];
    finding.expected = answers.states[1];
    if (!answers.both_ran()) {
      finding.what = "one of them does not run this program: " + outcome_text(0, answers) + "; " +
                     outcome_text(1, answers);
      finding.expected = finding.actual = {program.ub};
      finding.instruction = program.instructions.size();
      return;
    }
    const bool first = documents_allow(program, answers, 0), second = documents_allow(program, answers, 1);
    if (first && second) finding.verdict = Verdict::undecided;
    finding.what = first && second ? "the documents allow both results"
                   : first         ? "the documents allow what " + backends_[0]->name + " does, not what " +
                                 backends_[1]->name + " does"
                   : second ? "the documents allow what " + backends_[1]->name + " does, not what " +
                                  backends_[0]->name + " does"
                            : "the documents allow neither";
    const auto count = first_difference(program);
    finding.instruction = count && *count > 0 ? *count - 1 : program.instructions.size();
    if (finding.instruction == program.instructions.size()) return;
    Program part = program;
    part.instructions.resize(finding.instruction);
    const Answers before = ask(part);
    part.instructions.push_back(program.instructions[finding.instruction]);
    const Answers after = ask(part);
    finding.mask_before = before.states[1].mask;
    finding.mask_differs = (shown().mask && after.states[0].mask != after.states[1].mask) ||
                           (shown().mode && after.states[0].mode != after.states[1].mode);
    finding.lanes = lane_rows(part, part.instructions.back(), documented_.readings, before.states[1],
                              after.states[1], after.states[0]);
  }

  std::string outcome_text(unsigned side, const Answers& answers) const {
    const Outcome& outcome = answers.outcomes[side];
    const auto* refused = std::get_if<Refused>(&outcome);
    const auto* errored = std::get_if<Errored>(&outcome);
    return backends_[side]->name + (refused != nullptr   ? " refuses it (" + refused->why + ")"
                                    : errored != nullptr ? " breaks (" + errored->what + ")"
                                                         : " runs it");
  }

  /// What both let see.
  Shown shown() const {
    const Shown one = backends_[0]->shown(options_.mix.profile),
                two = backends_[1]->shown(options_.mix.profile);
    return {one.mask && two.mask, one.mode && two.mode};
  }

  const RunOptions& options_;
  std::array<const Backend*, 2> backends_;
  bool bitwise_;
  const RunHooks& hooks_;
  Semantics documented_;
  Report report_;
  std::vector<Program> programs_;
  std::vector<std::uint64_t> indices_;  ///< of the programs that are run
  std::set<std::string> not_offered_;
};

}  // namespace

Report run_differential(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                        const RunHooks& hooks) {
  return DifferentialRun(options, backend, other, bitwise, hooks).all();
}

}  // namespace lanecheck
