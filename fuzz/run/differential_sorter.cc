#include "fuzz/run/differential_sorter.h"

#include "fuzz/explain/name_finding.h"
#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/smallest/minimize.h"
#include "fuzz/run/differing_places.h"
#include "oracle/compare/compare.h"

namespace lanecheck {
namespace {

std::string id_of(const Program& program, std::size_t count) {
  if (count == 0) return "differs-at-start";
  return "differs-" + std::string(row_of(program.instructions[count - 1].op).name);
}

std::array<AnswerView, 2> view(std::span<const BackendAnswer> answers) {
  return {{{answers[0].outcome, answers[0].state}, {answers[1].outcome, answers[1].state}}};
}

}  // namespace

DifferentialSorter::DifferentialSorter(const RunOptions& options, const BackendPair& pair,
                                       const RunHooks& hooks)
    : FailureSorter(options, hooks),
      pair_(pair),
      documented_(options.mix.profile, options.readings, options.pinned),
      asked_{AskedBackend(pair[0], options.mix.profile, end_of_analysis(options, hooks)),
             AskedBackend(pair[1], options.mix.profile, end_of_analysis(options, hooks))} {}

Verdict DifferentialSorter::sort(const FailedCase& failed) {
  for (const BackendAnswer& each : failed.answers)
    if (std::holds_alternative<Errored>(each.outcome)) return sort_failure(failed);
  return sort_difference(failed);
}

DifferentialSorter::Answers DifferentialSorter::ask(const Program& program) {
  return {asked_[0].ask(program), asked_[1].ask(program)};
}

/// The number of instructions after which the backends first differ. Nothing if they never do.
std::optional<std::size_t> DifferentialSorter::first_difference(const Program& program) {
  return first_divergence(program, [this](const Program& part) {
    const Answers answers = ask(part);
    return pair_.matters(part, view(answers), documented_.semantics);
  });
}

/// A backend that breaks is a finding of its own kind, and is not minimized.
Verdict DifferentialSorter::sort_failure(const FailedCase& failed) {
  const unsigned side = std::holds_alternative<Errored>(failed.answers[0].outcome) ? 0 : 1;
  const Outcome& outcome = failed.answers[side].outcome;
  Finding finding;
  finding.id = failure_kind(outcome) + (side == 0 ? "" : "-other");
  if (Bucket* known = buckets_.find_id(finding.id)) return count_again(*known);
  if (is_full()) return not_listed(Verdict::errored);
  finding.verdict = Verdict::errored;
  finding.matter = Matter::failure;
  finding.other = pair_.name_of(1);
  finding.what = pair_.name_of(side) + " breaks: " + std::get<Errored>(outcome).what;
  finding.program = failed.program;
  finding.instruction = failed.program.instructions.size();
  finding.expected = finding.actual = {failed.program.ub};
  return keep({{}, {}, std::move(finding)}, failed.index);
}

/// Counts the case in its finding, which may be new.
Verdict DifferentialSorter::sort_difference(const FailedCase& failed) {
  const auto count = first_difference(failed.program);
  Finding finding;
  finding.id = count ? id_of(failed.program, *count) : std::string(kNotRepeatable);
  if (Bucket* known = buckets_.find_id(finding.id)) {
    count_places_of(failed, known->finding);
    return count_again(*known);
  }
  if (is_full()) return not_listed(Verdict::diverges);
  finding.matter = Matter::difference;
  finding.other = pair_.name_of(1);
  finding.program = failed.program;
  if (count && options_.minimize) shrink(finding);
  describe(finding);
  count_places_of(failed, finding);
  return keep({{}, {}, std::move(finding)}, failed.index);
}

/// Counts where the answers of the run differ, to the last bit.
void DifferentialSorter::count_places_of(const FailedCase& failed, Finding& finding) const {
  if (!counts_next_places(finding) || !both_ran(view(failed.answers))) return;
  const State &one = failed.answers[0].state, &other = failed.answers[1].state;
  count_places(finding.heat, failed.program, documented_.readings(), other, one, differing_bytes(other, one),
               pair_.shown());
}

void DifferentialSorter::shrink(Finding& finding) {
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
void DifferentialSorter::describe(Finding& finding) {
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
  finding.expected = answers[1].state;
  finding.actual = as_shown(answers[0].state, finding.expected, pair_.shown());
  const bool first = pair_.documents_allow(program, views[0], 0, documented_.semantics);
  const bool second = pair_.documents_allow(program, views[1], 1, documented_.semantics);
  if (first && second) finding.verdict = Verdict::undecided;
  finding.what = allowed_text(first, second);
  if (first != second) name_rules(finding, asked_[first ? 1 : 0]);
  const auto count = first_difference(program);
  finding.instruction = count && *count > 0 ? *count - 1 : program.instructions.size();
  if (finding.instruction < program.instructions.size()) describe_instruction(finding);
}

/// The rules that the backend breaks whose result the documents forbid.
void DifferentialSorter::name_rules(Finding& finding, AskedBackend& wrong) const {
  const BackendAnswer answer = wrong.ask(finding.program);
  if (!answer.ran()) return;
  const Refined refined =
      refine(suspects(answer, finding.program, documented_, wrong.shown()), wrong, documented_);
  Finding alone;
  alone.program = finding.program;
  locate(alone, wrong, documented_);
  if (alone.instruction < alone.program.instructions.size())
    name_finding(alone, refined.suspects, wrong, documented_);
  finding.rules = std::move(alone.rules);
}

void DifferentialSorter::describe_instruction(Finding& finding) {
  const Answers before = ask(prefix(finding.program, finding.instruction));
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Answers after = ask(part);
  describe_mask(finding, part.instructions.back(), before[1].state, documented_.readings());
  finding.mask_differs = mask_differs(after[1].state, after[0].state, pair_.shown());
  finding.lanes = lane_rows(part, part.instructions.back(), documented_.readings(), before[1].state,
                            after[1].state, after[0].state);
}

std::string DifferentialSorter::allowed_text(bool first, bool second) const {
  const auto sides_with = [this](unsigned one, unsigned two) {
    return "the documents allow what " + pair_.name_of(one) + " does, not what " + pair_.name_of(two) +
           " does";
  };
  if (first && second) return "the documents allow both results";
  if (first) return sides_with(0, 1);
  if (second) return sides_with(1, 0);
  return "the documents allow neither";
}

std::string DifferentialSorter::outcome_text(unsigned side, const Answers& answers) const {
  const Outcome& outcome = answers[side].outcome;
  const std::string name = pair_.name_of(side);
  if (const auto* refused = std::get_if<Refused>(&outcome))
    return name + " refuses it (" + refused->why + ")";
  if (const auto* errored = std::get_if<Errored>(&outcome)) return name + " breaks (" + errored->what + ")";
  return name + " runs it";
}

}  // namespace lanecheck
