#include "fuzz/explain/explain.h"

#include <algorithm>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/minimize.h"
#include "fuzz/explain/name_finding.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// Minimizes the finding's program inside what is `allowed`, while `still` holds and the backend survives.
void shrink_program(Finding& finding, AskedBackend& asked, const ProgramTest& allowed,
                    const ProgramTest& still) {
  const unsigned most_restarts = asked.restarts() + kMostRestarts;
  Minimized smallest = minimize(finding.program, allowed, [&](const Program& candidate) {
    return !asked.gives_up(most_restarts) && still(candidate);
  });
  finding.program = std::move(smallest.program);
  finding.tries = smallest.tries;
}

/// The backend refuses the program, or the program breaks it. Minimizing keeps the kind of the failure.
Finding explain_failure(const Program& program, const Outcome& outcome, AskedBackend& asked,
                        const Documented& documented, bool shrink) {
  Finding finding;
  finding.id = failure_kind(outcome);
  finding.program = program;
  if (const auto* refused = std::get_if<Refused>(&outcome)) {
    finding.matter = Matter::refusal;
    finding.what = "refuses a legal program: " + refused->why;
  } else {
    finding.verdict = Verdict::errored;
    finding.matter = Matter::failure;
    finding.what = "breaks: " + std::get<Errored>(outcome).what;
  }
  const auto fault = find_fault(program, documented.readings());  // the case may be one at an edge
  const auto as_legal = [&](const Program& candidate) {
    const auto now = find_fault(candidate, documented.readings());
    return now.has_value() == fault.has_value() && (!now || now->rule == fault->rule);
  };
  if (fault) finding.what.append(" on an illegal program (").append(fault->rule->id).append(")");
  if (shrink)
    shrink_program(finding, asked, as_legal, [&](const Program& candidate) {
      return failure_kind(asked.ask(candidate).outcome) == finding.id;
    });
  finding.expected = {finding.program.ub};
  if (!fault) execute(finding.program, documented.semantics, finding.expected);
  finding.actual = finding.expected;
  finding.instruction = finding.program.instructions.size();
  return finding;
}

void shrink_divergence(Finding& finding, const Suspects& suspects, AskedBackend& asked,
                       const Documented& documented) {
  const Shown shown = asked.shown();
  const bool is_reading = !suspects.empty() && !suspects.front()->is_wrong();
  shrink_program(finding, asked, legal_under(documented.readings()), [&](const Program& candidate) {
    const BackendAnswer answer = asked.ask(candidate);
    if (!answer.ran() || !diverges(answer, candidate, documented, shown)) return false;
    if (!suspects.empty() && !reproduces(suspects, answer, candidate, shown)) return false;
    // A failure must not shrink into a program that a mere reading explains.
    return is_reading || !reading_explains(answer, candidate, documented, shown);
  });
}

}  // namespace

Finding explain(const Program& program, Suspects suspects, AskedBackend& asked, const Documented& documented,
                bool shrink) {
  if (const BackendAnswer answer = asked.ask(program); !failure_kind(answer.outcome).empty())
    return explain_failure(program, answer.outcome, asked, documented, shrink);
  Finding finding;
  finding.program = program;
  if (shrink) {
    shrink_divergence(finding, suspects, asked, documented);
    if (suspects.empty()) {
      suspects = lanecheck::suspects(asked.ask(finding.program), finding.program, documented, asked.shown());
      suspects = refine(std::move(suspects), asked, documented);
    }
  }
  locate(finding, asked, documented);
  name_finding(finding, suspects, asked, documented);
  return finding;
}

Finding explain_accepted(const Program& program, const Fault& fault, AskedBackend& asked,
                         const Documented& documented, bool shrink) {
  Finding finding;
  finding.matter = Matter::refusal;
  finding.program = program;
  finding.id = "accepts-illegal-" + std::string(fault.rule->id);
  finding.rules = {std::string(fault.rule->id)};
  for (const Hypothesis& each : documented.hypotheses)
    if (each.reading != nullptr && !each.pinned && !find_fault(program, each.semantics.readings)) {
      finding.verdict = Verdict::undecided;
      finding.matter = Matter::reading;
      finding.id = each.id;
      finding.rules.clear();
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

Finding explain_not_repeated(const Program& program, const Outcome& outcome, const State& actual,
                             const Documented& documented, Shown shown) {
  Finding finding;
  finding.matter = Matter::failure;
  finding.id = "not-repeatable";
  finding.program = program;
  finding.instruction = program.instructions.size();
  execute(program, documented.semantics, finding.expected);
  finding.actual = finding.expected;
  if (const auto* errored = std::get_if<Errored>(&outcome)) {
    finding.verdict = Verdict::errored;
    finding.what = "broke in the run (" + errored->what +
                   "; a deadline can be missed on a busy machine: see --deadline)";
  } else if (const auto* refused = std::get_if<Refused>(&outcome)) {
    finding.what = "refused this program in the run (" + refused->why + ")";
  } else {
    finding.what = "left another state in the run";
    finding.actual = actual;
    finding.mask_differs = mask_differs(finding.expected, actual, shown);
  }
  finding.what +=
      ", and does what the documents say when the program is run alone: something of an earlier program is "
      "left, or the backend is not deterministic";
  return finding;
}

}  // namespace lanecheck
