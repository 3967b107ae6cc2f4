#include "fuzz/run/differential_run.h"

#include <algorithm>
#include <array>

#include "fuzz/explain/asked_backend.h"
#include "fuzz/explain/lane_rows.h"
#include "fuzz/explain/locate.h"
#include "fuzz/explain/minimize.h"
#include "fuzz/explain/name_finding.h"
#include "fuzz/run/case_loop.h"
#include "oracle/compare/compare.h"

namespace lanecheck {
namespace {

/// What both backends did with one program.
using Answers = std::array<BackendAnswer, 2>;
using AnswerViews = std::span<const AnswerView>;

template <class Kind>
bool either(AnswerViews answers) {
  return std::ranges::any_of(
      answers, [](const AnswerView& each) { return std::holds_alternative<Kind>(each.outcome); });
}

bool both_ran(AnswerViews answers) {
  return std::ranges::all_of(
      answers, [](const AnswerView& each) { return std::holds_alternative<Ran>(each.outcome); });
}

class DifferentialRun final : public CaseJudge {
 public:
  DifferentialRun(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                  const RunHooks& hooks)
      : options_(options),
        backends_{&backend, &other},
        bitwise_(bitwise),
        hooks_(hooks),
        documented_(options.mix.profile, options.readings, options.pinned),
        report_(report_header(options, backend)) {
    report_.about = "against " + other.name;
    report_.shows_mask = backend.shows_mask && other.shows_mask;
  }

  Report run() {
    run_cases(options_, hooks_, backends_, *this, report_);
    left_out_.write_into(report_);
    if (!cut_short_.empty())
      report_.stopped.append(report_.stopped.empty() ? "" : "; ").append(cut_short_text(cut_short_));
    return std::move(report_);
  }

  std::size_t findings() const override { return report_.findings.size(); }

  bool prepare(std::size_t slot, std::uint64_t index, Program& program) override {
    if (indices_.size() <= slot) indices_.resize(slot + 1);
    indices_[slot] = index;
    generate(options_.seed, index, options_.mix, program);
    for (const Backend* each : backends_) left_out_.leave_out(each->capabilities, program);
    for (const Instruction& insn : program.instructions) report_.element_checks += element_slots(insn);
    return !program.instructions.empty();
  }

  Verdict judge(std::size_t slot, const Program& program, AnswerViews answers) override {
    if (either<Skipped>(answers)) return Verdict::skipped;
    if (either<Errored>(answers)) return sort_failure(indices_[slot], program, answers);
    if (!differ(answers)) return Verdict::conforms;
    if (!matters(program, answers)) return Verdict::undecided;
    return sort(indices_[slot], program);
  }

 private:
  bool documents_allow(const Program& program, const AnswerView& answer, const Backend& backend) const {
    return std::holds_alternative<Ran>(answer.outcome) &&
           compare(program, documented_.semantics, answer.state, backend.shown(options_.mix.profile)).agrees;
  }

  bool differ(AnswerViews answers) const {
    if (answers[0].outcome.index() != answers[1].outcome.index()) return true;
    return both_ran(answers) && !identical(answers[0].state, answers[1].state, shown());
  }

  /// Do the answers differ in more than the documents leave open?
  bool matters(const Program& program, AnswerViews answers) const {
    return differ(answers) && (bitwise_ || !documents_allow(program, answers[0], *backends_[0]) ||
                               !documents_allow(program, answers[1], *backends_[1]));
  }

  Answers ask(const Program& program) const {
    Answers answers;
    for (unsigned side = 0; side < 2; ++side)
      answers[side].outcome = backends_[side]->run(program, answers[side].state);
    return answers;
  }

  static std::array<AnswerView, 2> view(const Answers& answers) {
    return {{{answers[0].outcome, answers[0].state}, {answers[1].outcome, answers[1].state}}};
  }

  /// The number of instructions after which the backends first differ. Nothing if they never do.
  std::optional<std::size_t> first_difference(const Program& program) const {
    return first_divergence(program, [this](const Program& part) {
      const Answers answers = ask(part);
      return matters(part, view(answers));
    });
  }

  /// A backend that breaks is a finding of its own kind, and is not minimized.
  Verdict sort_failure(std::uint64_t index, const Program& program, AnswerViews answers) {
    const unsigned side = std::holds_alternative<Errored>(answers[0].outcome) ? 0 : 1;
    const std::string& what = std::get<Errored>(answers[side].outcome).what;
    const std::string id = failure_kind(answers[side].outcome) + (side == 0 ? "" : "-other");
    const auto known = std::ranges::find(report_.findings, id, &Finding::id);
    if (known != report_.findings.end()) {
      ++known->cases;
      return Verdict::errored;
    }
    if (report_.findings.size() >= options_.most_findings) return not_listed(Verdict::errored);
    Finding finding;
    finding.verdict = Verdict::errored;
    finding.matter = Matter::failure;
    finding.id = id;
    finding.other = name_of(1);
    finding.what = name_of(side) + " breaks: " + what;
    finding.cases = 1;
    finding.first_case = index;
    finding.program = program;
    finding.instruction = program.instructions.size();
    finding.expected = finding.actual = {program.ub};
    if (hooks_.on_finding) hooks_.on_finding(finding);
    report_.findings.push_back(std::move(finding));
    return Verdict::errored;
  }

  Verdict not_listed(Verdict verdict) {
    ++report_.unlisted;
    return verdict;
  }

  /// The backend's name. Two backends of one name are told apart by their order.
  std::string name_of(unsigned side) const {
    const std::string& name = backends_[side]->name;
    if (name != backends_[1 - side]->name) return name;
    return name + (side == 0 ? " (the first)" : " (the second)");
  }

  static std::string id_of(const Program& program, std::size_t count) {
    if (count == 0) return "differs-at-start";
    return "differs-" + std::string(row_of(program.instructions[count - 1].op).name);
  }

  /// Counts the case in its finding, which may be new.
  Verdict sort(std::uint64_t index, const Program& program) {
    const auto count = first_difference(program);
    const std::string id = count ? id_of(program, *count) : "not-repeatable";
    const auto known = std::ranges::find(report_.findings, id, &Finding::id);
    if (known != report_.findings.end()) {
      ++known->cases;
      return known->verdict;
    }
    if (report_.findings.size() >= options_.most_findings) return not_listed(Verdict::diverges);
    Finding finding;
    finding.id = id;
    finding.matter = Matter::difference;
    finding.other = name_of(1);
    finding.cases = 1;
    finding.first_case = index;
    finding.program = program;
    if (count && options_.minimize) shrink(finding);
    describe(finding);
    if (time_is_over(options_, hooks_)) cut_short_ = finding.id;
    if (hooks_.on_finding) hooks_.on_finding(finding);
    report_.findings.push_back(std::move(finding));
    return report_.findings.back().verdict;
  }

  void shrink(Finding& finding) const {
    const auto ends = end_of_analysis(options_, hooks_);
    Minimized smallest =
        minimize(finding.program, legal_under(options_.readings), [&](const Program& candidate) {
          if (ends()) return false;
          const auto now = first_difference(candidate);
          return now.has_value() && id_of(candidate, *now) == finding.id;
        });
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
  }

  /// Fills the finding: where the backends differ, and which of the two results the documents allow.
  void describe(Finding& finding) const {
    const Program& program = finding.program;
    const Answers answers = ask(program);
    const auto views = view(answers);
    if (!both_ran(views)) {
      finding.what = "one of them does not run this program: " + outcome_text(0, answers) + "; " +
                     outcome_text(1, answers);
      finding.expected = finding.actual = {program.ub};
      finding.instruction = program.instructions.size();
      return;
    }
    finding.actual = answers[0].state;
    finding.expected = answers[1].state;
    const bool first = documents_allow(program, views[0], *backends_[0]);
    const bool second = documents_allow(program, views[1], *backends_[1]);
    if (first && second) finding.verdict = Verdict::undecided;
    finding.what = allowed_text(first, second);
    if (first != second) name_rules(finding, *backends_[first ? 1 : 0]);
    const auto count = first_difference(program);
    finding.instruction = count && *count > 0 ? *count - 1 : program.instructions.size();
    if (finding.instruction < program.instructions.size()) describe_instruction(finding);
  }

  /// The rules that the backend breaks whose result the documents forbid.
  void name_rules(Finding& finding, const Backend& wrong) const {
    AskedBackend asked(wrong, options_.mix.profile, end_of_analysis(options_, hooks_));
    const BackendAnswer answer = asked.ask(finding.program);
    if (!answer.ran()) return;
    const Refined refined =
        refine(suspects(answer, finding.program, documented_, asked.shown()), asked, documented_);
    Finding alone;
    alone.program = finding.program;
    locate(alone, asked, documented_);
    if (alone.instruction < alone.program.instructions.size())
      name_finding(alone, refined.suspects, asked, documented_);
    finding.rules = std::move(alone.rules);
  }

  void describe_instruction(Finding& finding) const {
    const Answers before = ask(prefix(finding.program, finding.instruction));
    const Program part = prefix(finding.program, finding.instruction + 1);
    const Answers after = ask(part);
    // The slots that gate the instruction: those of its mask operand if it has one.
    const Instruction& insn = part.instructions.back();
    MaskBits mask = bits_of(before[1].state.mask, before[1].state.mode, MaskOrigin::set);
    mask.load(insn, documented_.readings());
    for (unsigned w = 0; w < 4; ++w) set_mask_word(finding.mask_before, w, mask.words[w]);
    if (const auto total = resolve(insn, mask, documented_.readings()).total; total != kNoTotal)
      finding.total = total;
    finding.mask_differs = mask_differs(after[1].state, after[0].state, shown());
    finding.lanes = lane_rows(part, part.instructions.back(), documented_.readings(), before[1].state,
                              after[1].state, after[0].state);
  }

  std::string allowed_text(bool first, bool second) const {
    const auto sides_with = [this](unsigned one, unsigned two) {
      return "the documents allow what " + name_of(one) + " does, not what " + name_of(two) + " does";
    };
    if (first && second) return "the documents allow both results";
    if (first) return sides_with(0, 1);
    if (second) return sides_with(1, 0);
    return "the documents allow neither";
  }

  std::string outcome_text(unsigned side, const Answers& answers) const {
    const Outcome& outcome = answers[side].outcome;
    const std::string name = name_of(side);
    if (const auto* refused = std::get_if<Refused>(&outcome))
      return name + " refuses it (" + refused->why + ")";
    if (const auto* errored = std::get_if<Errored>(&outcome)) return name + " breaks (" + errored->what + ")";
    return name + " runs it";
  }

  /// The part of a final state that both backends show.
  Shown shown() const {
    const Shown one = backends_[0]->shown(options_.mix.profile),
                two = backends_[1]->shown(options_.mix.profile);
    return {one.mask && two.mask, one.mode && two.mode};
  }

  const RunOptions& options_;
  std::array<const Backend*, 2> backends_;
  bool bitwise_;
  const RunHooks& hooks_;
  Documented documented_;
  Report report_;
  LeftOut left_out_;
  std::string cut_short_;  ///< the finding whose analysis was cut short because the time was over
  std::vector<std::uint64_t> indices_;  ///< of the cases of the batch, by slot
};

}  // namespace

Report run_differential(const RunOptions& options, const Backend& backend, const Backend& other, bool bitwise,
                        const RunHooks& hooks) {
  const RunHooks timed = with_clock(hooks);
  return DifferentialRun(options, backend, other, bitwise, timed).run();
}

}  // namespace lanecheck
