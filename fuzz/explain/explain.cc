#include "fuzz/explain/explain.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/hypotheses/partly_followed.h"
#include "fuzz/explain/latched_mask.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/name_finding.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/explain/shown_mask.h"
#include "fuzz/explain/smallest/minimize.h"
#include "fuzz/explain/smallest/neighbour.h"
#include "fuzz/explain/smallest/predicate.h"
#include "fuzz/explain/smallest/room_behind.h"
#include "fuzz/explain/smallest/small_masks.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// Minimizes the finding's program inside what is `allowed`, while `still` holds and the backend survives.
void shrink_program(Finding& finding, AskedBackend& asked, const ProgramTest& allowed,
                    const ProgramTest& still, unsigned most_restarts = kMostRestarts) {
  const QuestionBudget budget(asked, ~0u, most_restarts);
  const ProgramTest shows = [&](const Program& candidate) { return !budget.is_over() && still(candidate); };
  Minimized smallest = minimize(finding.program, allowed, shows, kMostTries, [&] { return asked.ends(); });
  finding.program = std::move(smallest.program);
  finding.tries = smallest.tries;
}

/// "refuses a legal program: ...", "breaks: ..."
std::string what_failed(const Outcome& outcome) {
  if (const auto* refused = std::get_if<Refused>(&outcome)) return "refuses a legal program: " + refused->why;
  return "breaks: " + std::get<Errored>(outcome).what;
}

/// The backend refuses the program, or the program breaks it. Minimizing keeps the kind of the failure.
Finding explain_failure(const Program& program, const Outcome& outcome, AskedBackend& asked,
                        const Documented& documented, bool shrink) {
  Finding finding;
  finding.id = failure_kind(outcome);
  finding.program = program;
  const bool refuses = std::holds_alternative<Refused>(outcome);
  finding.matter = refuses ? Matter::refusal : Matter::failure;
  if (!refuses) finding.verdict = Verdict::errored;
  const auto fault = find_fault(program, documented.readings());  // the case may be one at an edge
  const auto as_legal = [&](const Program& candidate) {
    const auto now = find_fault(candidate, documented.readings());
    return now.has_value() == fault.has_value() && (!now || now->rule == fault->rule) &&
           (fault || !proves_nothing(candidate, documented));
  };
  if (shrink)
    shrink_program(
        finding, asked, as_legal,
        [&](const Program& candidate) { return failure_kind(asked.ask(candidate).outcome) == finding.id; },
        is_late(outcome) ? kMostLateRestarts : kMostRestarts);
  // The text may have numbers of the program in it.
  const Outcome smallest = asked.ask(finding.program).outcome;
  finding.what = what_failed(failure_kind(smallest) == finding.id ? smallest : outcome);
  if (fault) finding.what.append(" on an illegal program (").append(fault->rule->id).append(")");
  finding.expected = {finding.program.ub};
  if (!fault) execute(finding.program, documented.semantics, finding.expected);
  finding.actual = finding.expected;
  finding.instruction = finding.program.instructions.size();
  return finding;
}

/// The second half of the sentence about an answer that was another one in the run.
std::string what_it_does_now(const BackendAnswer& now, const Program& program, const Documented& documented,
                             Shown shown) {
  constexpr std::string_view kAlone = " when the program is run alone";
  if (!now.ran()) return std::string("does not run it").append(kAlone);
  if (find_fault(program, documented.readings()) || diverges(now, program, documented, shown))
    return std::string("leaves yet another state").append(kAlone);
  return std::string("does what the documents say").append(kAlone);
}

/// What further questions show of a program whose answer was another one in the run.
std::string why_not_repeated(const Program& program, AskedBackend& asked) {
  constexpr unsigned kTimes = 5;
  const std::string times = std::to_string(kTimes);
  if (reads_behind_ub(program, asked))
    return ": in a longer UB, what it leaves depends on the bytes behind the end of this one";
  switch (ask_again(program, asked, kTimes)) {
    case AskedAgain::same_state:
      return ": asked " + times + " times in a row, it leaves the same state; an earlier program may matter";
    case AskedAgain::other_states:
      return ": asked " + times + " times in a row, it leaves different states";
    case AskedAgain::does_not_run:
      break;
  }
  return {};
}

/// Minimizes with the oracle under the first suspect in place of the backend, which is asked only at the end.
/// False if the backend does something else with the smallest program; then nothing has changed.
bool shrink_by_model(Finding& finding, const Suspects& suspects, AskedBackend& asked,
                     const Documented& documented) {
  const Shown shown = asked.shown();
  const Hypothesis& model = *suspects.front();
  const QuestionBudget budget(asked);
  const ProgramTest shows = [&](const Program& candidate) {
    if (budget.is_over()) return false;
    BackendAnswer predicted{Ran{}, {}};
    execute(candidate, model.semantics, predicted.state);
    return diverges(predicted, candidate, documented, shown) &&
           (model.is_wrong() ? !reading_explains(predicted, candidate, documented, shown)
                             : !find_fault(candidate, model.semantics.readings));
  };
  if (!shows(finding.program)) return false;  // a reading that only accepts more predicts no other result
  const Minimized smallest = minimize(finding.program, legal_under(documented.readings()), shows, kMostTries,
                                      [&] { return asked.ends(); });
  const BackendAnswer answer = asked.ask(smallest.program);
  if (!diverges(answer, smallest.program, documented, shown) ||
      !explains(model, smallest.program, answer.state, shown))
    return false;
  finding.program = smallest.program;
  finding.tries = smallest.tries;
  return true;
}

void shrink_divergence(Finding& finding, const Refined& refined, AskedBackend& asked,
                       const Documented& documented, const ProgramTest& allowed) {
  const Suspects& suspects = refined.suspects;
  if (!suspects.empty() && shrink_by_model(finding, suspects, asked, documented)) return;
  const Shown shown = asked.shown();
  const bool is_reading =
      refined.refuted_reading != nullptr || (!suspects.empty() && !suspects.front()->is_wrong());
  shrink_program(finding, asked, allowed, [&](const Program& candidate) {
    const BackendAnswer answer = asked.ask(candidate);
    if (!diverges(answer, candidate, documented, shown)) return false;
    if (!suspects.empty() && !reproduces(suspects, answer, candidate, shown)) return false;
    if (proves_nothing(candidate, documented)) return false;
    // A failure must not shrink into a program that a mere reading explains.
    return is_reading || !reading_explains(answer, candidate, documented, shown);
  });
}

/// Of a mode that stays on and is not shown, large masks would lead outside of dst again and again. False if
/// the program has large ones, or needs an instruction alone: then it is still to be minimized with any
/// masks.
bool shrink_with_small_masks(Finding& finding, const Refined& refined, AskedBackend& asked,
                             const Documented& documented) {
  if (!refined.knows_nothing() || asked.shown().mode) return false;
  if (auto small = with_small_masks(finding.program, asked, documented)) finding.program = *std::move(small);
  if (!has_small_masks(finding.program)) return false;
  shrink_divergence(finding, refined, asked, documented,
                    [legal = legal_under(documented.readings())](const Program& candidate) {
                      return legal(candidate) && has_small_masks(candidate);
                    });
  return finding.program.instructions.size() > 1;
}

/// The program with larger allocations, if it leads the backend outside of UB and that one does not: what
/// lies outside is not known, so no mistake can be shown to give what the backend does.
std::optional<Program> without_reads_behind(const Program& program, AskedBackend& asked,
                                            const Documented& documented) {
  const bool has_no_repeat = std::ranges::any_of(program.instructions, [](const Instruction& insn) {
    return row_of(insn.op).has_repeat && insn.repeat == 0;  // its dst may have no room at all
  });
  if (!has_no_repeat && !reads_behind_ub(program, asked)) return {};
  for (const std::uint32_t bytes : {2048u, 16384u}) {
    Program roomy = with_room(program, bytes);
    if (!find_fault(roomy, documented.readings()) &&
        diverges(asked.ask(roomy), roomy, documented, asked.shown()) && !reads_behind_ub(roomy, asked))
      return roomy;
  }
  return {};
}

/// The program without one instruction before the last, if it diverges although `suspect` predicts nothing
/// there: then the suspect is not what made it diverge.
std::optional<Program> diverges_without(const Hypothesis& suspect, const Program& program,
                                        AskedBackend& asked, const Documented& documented) {
  for (std::size_t n = 0; n + 1 < program.instructions.size(); ++n) {
    Program shorter = program;
    shorter.instructions.erase(shorter.instructions.begin() + static_cast<std::ptrdiff_t>(n));
    if (find_fault(shorter, documented.readings())) continue;
    BackendAnswer predicted{Ran{}, {}};
    execute(shorter, suspect.semantics, predicted.state);
    if (!diverges(predicted, shorter, documented, asked.shown()) &&
        diverges(asked.ask(shorter), shorter, documented, asked.shown()))
      return shorter;
  }
  return {};
}

/// Drops the mistakes without which the program diverges in fewer instructions, and goes on with these. Of
/// two instructions both are needed, so far as was seen.
void drop_unneeded(Finding& finding, Refined& refined, AskedBackend& asked, const Documented& documented) {
  const bool are_mistakes = !refined.suspects.empty() && refined.suspects.front()->is_wrong();
  if (finding.program.instructions.size() < 3 || !are_mistakes || !asked.backend().recorded.empty()) return;
  std::optional<Program> shorter;
  std::erase_if(refined.suspects, [&](const Hypothesis* each) {
    auto without = diverges_without(*each, finding.program, asked, documented);
    if (without) shorter = std::move(without);
    return without.has_value();
  });
  if (!refined.suspects.empty() || !shorter) return;
  refined = {};
  finding.program = *std::move(shorter);
}

/// Mistakes that fit the case by coincidence: the backend's maps differ from the documented ones, and either
/// it conforms to a probe that they would get wrong, or none of them gives what the probes show and no
/// further question confirmed them. Laws of counts, of what masked-off lanes receive, and of the patterns of
/// a gather mask were tried on numbers of their own: they need no such doubt.
bool are_coincidence(const Refined& refined, const Finding& finding, AskedBackend& asked,
                     const Documented& documented) {
  if (refined.suspects.empty() || !refined.suspects.front()->is_wrong()) return false;
  if (finding.instruction >= finding.program.instructions.size()) return false;
  const auto cause = measure_cause(finding.program, finding.instruction, asked, documented);
  if (!cause) return false;
  const Difference& said = cause->difference;
  const bool compacts = row_of(finding.program.instructions[finding.instruction].op).compacts;
  const bool is_law = said.map == MapKind::length || (said.map == MapKind::gate && said.masked_off) ||
                      (compacts && !said.only_example);
  const bool confirmed = !refined.confirming.empty() && !is_law;
  return std::ranges::all_of(refined.suspects, [&](const Hypothesis* each) {
    return is_refuted_by_probes(*each, *cause, documented, asked.shown()) ||
           (!confirmed && !reproduces_probes(*each, *cause, asked));
  });
}

/// In place of a program on which a refuted reading says what the backend does: the smallest of a measurement
/// on which no reading does, if there is one. Else the program would speak for the reading.
void show_without_readings(Finding& finding, AskedBackend& asked, const Documented& documented) {
  constexpr std::size_t kMostAsked = 40;
  const ProgramTest shows = [&](const Program& candidate) {
    const BackendAnswer answer = asked.ask(candidate);
    return diverges(answer, candidate, documented, asked.shown()) &&
           !reading_explains(answer, candidate, documented, asked.shown());
  };
  if (finding.instruction >= finding.program.instructions.size() || shows(finding.program)) return;
  const auto cause = measure_cause(finding.program, finding.instruction, asked, documented);
  if (!cause) return;
  const std::size_t some = std::min(kMostAsked, cause->diverging.size());
  for (std::size_t n = 0; n < some; ++n) {
    if (!shows(cause->diverging[n])) continue;
    finding.program = cause->diverging[n];
    shrink_program(finding, asked, legal_under(documented.readings()), shows);
    locate(finding, asked, documented);
    return;
  }
}

/// The last open reading under which the program is legal; null if no reading allows it.
const Hypothesis* reading_that_allows(const Program& program, const Documented& documented) {
  const Hypothesis* found = nullptr;
  for (const Hypothesis& each : documented.hypotheses)
    if (each.reading != nullptr && !each.pinned && !find_fault(program, each.semantics.readings))
      found = &each;
  return found;
}

/// `reading`: the one that allows the program, or null.
std::string id_of_accepted(const Hypothesis* reading, const Fault& fault) {
  return reading != nullptr ? reading->id : "accepts-illegal-" + std::string(fault.rule->id);
}

}  // namespace

Finding explain(const Program& program, Refined refined, AskedBackend& asked, const Documented& documented,
                bool shrink, const std::function<bool(const std::string& id)>& is_listed) {
  if (const BackendAnswer answer = asked.ask(program); !failure_kind(answer.outcome).empty())
    return explain_failure(program, answer.outcome, asked, documented, shrink);
  Finding finding;
  finding.program = program;
  if (shrink) {
    if (!shrink_with_small_masks(finding, refined, asked, documented))
      shrink_divergence(finding, refined, asked, documented, legal_under(documented.readings()));
    if (refined.knows_nothing()) {
      if (auto roomy = without_reads_behind(finding.program, asked, documented))
        finding.program = *std::move(roomy);
      refined = refine(suspects(asked.ask(finding.program), finding.program, documented, asked.shown()),
                       asked, documented);
    }
  }
  if (shrink) drop_unneeded(finding, refined, asked, documented);
  locate(finding, asked, documented, refined.suspects.empty() ? nullptr : refined.suspects.front());
  const bool is_named = is_named_by_shown_mask(finding, asked, documented) ||
                        (shrink && is_named_by_latched_mask(finding, asked, documented));
  if (is_named || are_coincidence(refined, finding, asked, documented)) refined = {};
  if (shrink && refined.suspects.empty() && refined.refuted_reading != nullptr)
    show_without_readings(finding, asked, documented);
  if (!is_named) name_finding(finding, refined.suspects, asked, documented);
  const bool names_mistake = !refined.suspects.empty() && refined.suspects.front()->is_wrong();
  if (names_mistake && !asked.backend().recorded.empty() && refined.confirming.size() < 2)
    finding.what.append("; one record alone shows it, so another mistake may do the same");
  if (refined.suspects.empty() && refined.refuted_reading != nullptr && finding.cause.empty() &&
      !is_named_by_partly_followed(finding, *refined.refuted_reading, asked, documented))
    finding.what.append("; ")
        .append(refined.refuted_reading->id)
        .append(" gives this output, but not what the backend does with other programs");
  const bool is_new = !is_listed || !is_listed(finding.id);
  if (shrink && is_new && finding.matter != Matter::failure && finding.id != kAtEndOfUb) {
    const Hypothesis* suspect = refined.suspects.empty() ? nullptr : refined.suspects.front();
    finding.passes = passing_change(finding, suspect, asked, documented);
    finding.predicate = predicate_of(finding, suspect, asked, documented);
  }
  return finding;
}

std::string id_of_accepted(const Program& program, const Fault& fault, const Documented& documented) {
  return id_of_accepted(reading_that_allows(program, documented), fault);
}

Finding explain_accepted(const Program& program, const Fault& fault, AskedBackend& asked,
                         const Documented& documented, bool shrink) {
  Finding finding;
  finding.program = program;
  const Hypothesis* const reading = reading_that_allows(program, documented);
  finding.id = id_of_accepted(reading, fault);
  if (reading != nullptr) {
    finding.verdict = Verdict::undecided;
    finding.matter = Matter::reading;
  } else {
    finding.matter = Matter::refusal;
    finding.rules = {std::string(fault.rule->id)};
  }
  const auto breaks_the_rule = [&](const Program& candidate) {
    const auto now = find_fault(candidate, documented.readings());
    return now && now->rule == fault.rule;
  };
  if (shrink)
    shrink_program(finding, asked, breaks_the_rule,
                   [&](const Program& candidate) { return asked.ask(candidate).ran(); });
  const auto still = find_fault(finding.program, documented.readings());
  finding.what = "accepts an illegal program: " + describe(finding.program, still ? *still : fault);
  finding.instruction = finding.program.instructions.size();
  finding.expected = finding.actual = {finding.program.ub};
  return finding;
}

Finding explain_not_repeated(const Program& program, const BackendAnswer& first, AskedBackend& asked,
                             const Documented& documented) {
  Finding finding;
  finding.matter = Matter::failure;
  finding.id = kNotRepeatable;
  finding.program = program;
  finding.instruction = program.instructions.size();
  finding.expected = {program.ub};
  if (!find_fault(program, documented.readings())) execute(program, documented.semantics, finding.expected);
  finding.actual = finding.expected;
  if (const auto* errored = std::get_if<Errored>(&first.outcome)) {
    finding.verdict = Verdict::errored;
    finding.what =
        "broke in the run (" + errored->what +
        (is_late(first.outcome) ? "; a deadline can be missed on a busy machine: see --deadline)" : ")");
  } else if (const auto* refused = std::get_if<Refused>(&first.outcome)) {
    finding.what = "refused this program in the run (" + refused->why + ")";
  } else {
    finding.repeats = Repeats::unknown;
    finding.what = "left another state in the run";
    finding.actual = as_shown(first.state, finding.expected, asked.shown());
    finding.mask_differs = mask_differs(finding.expected, first.state, asked.shown());
  }
  finding.what += ", and " + what_it_does_now(asked.ask(program), program, documented, asked.shown());
  finding.what += why_not_repeated(program, asked);
  return finding;
}

}  // namespace lanecheck
