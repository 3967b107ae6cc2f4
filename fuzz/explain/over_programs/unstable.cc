#include "fuzz/explain/over_programs/unstable.h"

#include <algorithm>
#include <cmath>

#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/over_programs/kept_over_programs.h"
#include "fuzz/explain/over_programs/register_over_programs.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/smallest/minimize.h"
#include "oracle/execute/execute.h"
#include "reports/format.h"
#include "reports/rate.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kAsksForRate = 100;
constexpr unsigned kMostAsksToShow = 30;  ///< so often is asked for a wrong answer that comes by chance
constexpr unsigned kAsksToChange = 6;     ///< so often is asked for two answers that differ
constexpr unsigned kFewestToShrink = 15;  ///< wrong answers of kAsksForRate; a rarer fault costs too much
constexpr unsigned kMostShrinkTries = 300;

void fill_states(Finding& finding, const State& actual, const Documented& documented, Shown shown) {
  finding.matter = Matter::failure;
  finding.instruction = finding.program.instructions.size();
  execute(finding.program, documented.semantics, finding.expected);
  finding.actual = as_shown(actual, finding.expected, shown);
  finding.mask_differs = mask_differs(finding.expected, actual, shown);
}

/// So many asks show a wrong answer of this rate with a chance of 99%.
unsigned asks_to_show(const Asks& rate) {
  if (rate.wrong == rate.asked) return 1;
  if (rate.wrong == 0) return kMostAsksToShow;
  const double right = 1 - static_cast<double>(rate.wrong) / rate.asked;
  return std::clamp(static_cast<unsigned>(std::log(0.01) / std::log(right)) + 1, 1u, kMostAsksToShow);
}

/// Fills the place of the finding: the first instruction after which `wrong_after` gives a wrong answer.
/// locate() gets this answer and right ones before it, so that it sees one and the same fault.
void locate_by(Finding& finding, AskAgain& ask,
               const std::function<std::optional<BackendAnswer>(const Program&)>& wrong_after) {
  AskedBackend once(ask.asked().backend(), finding.program.profile, [&] { return ask.is_over(); });
  for (std::size_t count = 0; count <= finding.program.instructions.size(); ++count) {
    const Program part = prefix(finding.program, count);
    if (auto wrong = wrong_after(part)) {
      once.remember(part, std::move(*wrong));
      finding.program = part;
      return locate(finding, once, ask.documented());
    }
    if (ask.is_over()) return;
    BackendAnswer right{Ran{}, {}};
    execute(part, ask.documented().semantics, right.state);
    once.remember(part, std::move(right));
  }
}

std::string family_at(const Finding& finding, const Documented& documented) {
  if (finding.instruction >= finding.program.instructions.size()) return "program";
  return family_of(finding.program.instructions[finding.instruction], documented);
}

void add_instruction(Finding& finding) {
  if (finding.instruction < finding.program.instructions.size())
    finding.instructions = {mnemonic(finding.program.instructions[finding.instruction])};
}

/// The instruction that the earlier programs end with; "programs" if they have none.
std::string name_of_trigger(const std::vector<Program>& before) {
  for (auto each = before.rbegin(); each != before.rend(); ++each)
    if (!each->instructions.empty()) return std::string(row_of(each->instructions.back().op).name);
  return "programs";
}

Finding state_dependent(Trigger trigger, AskAgain& ask, bool shrink) {
  const std::string asks = std::to_string(kAsks);
  Finding finding;
  finding.repeats = Repeats::state_dependent;
  finding.program = trigger.program;
  fill_states(finding, trigger.wrong.state, ask.documented(), ask.asked().shown());
  if (shrink) {
    Finding located = finding;
    locate_by(located, ask, [&](const Program& part) {
      return part == trigger.program ? std::optional(trigger.wrong)
                                     : ask.ask_afresh(part, 1, trigger.before).first_wrong;
    });
    if (located.program == finding.program) finding = std::move(located);  // else it is less sure
  }
  finding.id = "state-after-" + name_of_trigger(trigger.before);
  const std::size_t count = trigger.before.size();
  finding.what = "is wrong about this program if the same process ran the " +
                 (count == 1 ? std::string("program") : counted(count, "program")) + " shown before it (in " +
                 asks + " of " + asks +
                 " new processes), and right if this is the first program of a process (in " + asks + " of " +
                 asks + ")";
  finding.before = std::move(trigger.before);
  add_instruction(finding);
  const std::string in_asks = ": so in " + asks + " of " + asks +
                              " new processes; it is right if this is the first program of a process";
  if (const auto kept = register_over_programs(finding, ask)) {
    finding.id = "state-keeps-" + kept->kind;
    finding.what = kept->sentence + in_asks;
  } else if (const auto field = kept_over_programs(finding, ask)) {
    finding.id = "state-keeps-" + field->kind;
    finding.what = finding.instructions.front() + " takes " + field->name + " of the " +
                   mnemonic(finding.before.back().instructions.back()) +
                   " of the program shown before it, which the same process ran, instead of its own" +
                   in_asks;
  }
  return finding;
}

/// It is wrong at the start of a process, and right later.
Finding first_of_process(const Program& program, const Asks& fresh, AskAgain& ask) {
  Finding finding;
  finding.repeats = Repeats::state_dependent;
  finding.id = "state-first-program";
  finding.program = program;
  fill_states(finding, fresh.first_wrong->state, ask.documented(), ask.asked().shown());
  finding.what = "is wrong about this program if it is the first one of a process (in " +
                 std::to_string(fresh.asked) +
                 " new processes), and right if the process runs it again right after that";
  return finding;
}

/// Is the backend wrong in some of the questions, and right in others?
bool is_mixed(const Asks& asks) {
  return asks.wrong > 0 && asks.wrong < asks.asked;
}

std::string what_is_random(const Asks& fresh, const Asks& rate) {
  if (is_mixed(rate)) return "is wrong about a program now and then";
  if (rate.wrong > 0 && !rate.same) return "leaves different wrong states if the same program is run again";
  if (is_mixed(fresh)) return "is wrong about a program in some new processes, and right in others";
  return "leaves different wrong states if the same program is run in new processes";
}

Finding random_finding(const Program& program, const BackendAnswer& first, const Asks& fresh,
                       const Asks& rate, AskAgain& ask, bool shrink) {
  Finding finding;
  finding.repeats = Repeats::random;
  finding.program = program;
  finding.asked = rate.asked;
  finding.wrong = rate.wrong;
  // Of a program that is always wrong, what changes is the answer: a part that is always wrong in one way has
  // a fault that does not change.
  const bool changes = rate.wrong > 0 && !is_mixed(rate) && !rate.same;
  const unsigned times = changes ? kAsksToChange : asks_to_show(rate);
  const auto wrong_after = [&](const Program& part) -> std::optional<BackendAnswer> {
    Asks asks = ask.ask_here(part, times, !changes);
    return changes && asks.same ? std::nullopt : std::move(asks.first_wrong);
  };
  if (shrink && rate.wrong >= kFewestToShrink && (changes || is_mixed(rate) || is_mixed(fresh))) {
    Minimized smallest = minimize(
        program, legal_under(ask.documented().readings()),
        [&](const Program& candidate) { return wrong_after(candidate).has_value(); }, kMostShrinkTries,
        [&] { return ask.is_over(); });
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
  }
  auto seen = finding.program == program ? std::optional(first) : wrong_after(finding.program);
  if (!seen) {  // the smaller program does not show the fault again
    finding.program = program;
    seen = first;
  }
  fill_states(finding, seen->state, ask.documented(), ask.asked().shown());
  Finding located = finding;
  locate_by(located, ask, wrong_after);
  finding.id = "random-" + family_at(located, ask.documented());
  add_instruction(located);
  finding.instructions = located.instructions;
  if (shrink && !located.instructions.empty()) {
    located.id = std::move(finding.id);
    finding = std::move(located);
  }
  if (const auto period = rate.same ? rate.period() : std::nullopt) {
    finding.repeats = Repeats::state_dependent;
    finding.id = "state-periodic-" + family_at(finding, ask.documented());
    const std::string distance = std::to_string(*period);
    finding.what = "is wrong about this program once in " + distance +
                   " runs in the same process, always the same number of runs apart: the case of the run was "
                   "wrong in " +
                   std::to_string(rate.wrong) + " of " + std::to_string(rate.asked) +
                   " runs in a row, so the backend counts something";
    return finding;
  }
  finding.what = what_is_random(fresh, rate);
  if (rate.asked > 0)
    finding.what +=
        ": asked again about the case of the run, it is wrong in " + rate_text(rate.wrong, rate.asked);
  return finding;
}

Finding unknown(const Program& program, const BackendAnswer& first, const Asks& fresh, const Asks& rate,
                AskAgain& ask) {
  Finding finding;
  const auto may_always_be_wrong = [](const Asks& asks) { return asks.asked == 0 || asks.always_wrong(); };
  const bool is_always_wrong =
      fresh.asked + rate.asked > 0 && may_always_be_wrong(fresh) && may_always_be_wrong(rate);
  finding.repeats = is_always_wrong ? Repeats::stable : Repeats::unknown;
  finding.id = kNotRepeatable;
  finding.program = program;
  finding.asked = rate.asked;
  finding.wrong = rate.wrong;
  fill_states(finding, first.state, ask.documented(), ask.asked().shown());
  finding.what = "left another state in the run";
  if (rate.asked > 0) finding.what += "; asked again, it is wrong in " + rate_text(rate.wrong, rate.asked);
  if (fresh.asked > 0)
    finding.what += (rate.asked > 0 ? ", and in " : "; asked again, it is wrong in ") +
                    std::to_string(fresh.wrong) + " of " + std::to_string(fresh.asked) + " new processes";
  if (fresh.never_wrong())  // else no earlier programs were looked for
    finding.what += "; no programs before the case were found that bring it about";
  return finding;
}

}  // namespace

bool is_stable(const Program& program, AskAgain& ask, bool afresh) {
  if (afresh && !ask.can_start_afresh()) return true;
  if (afresh) ask.start_afresh();
  Asks asks;
  for (unsigned n = 0; n < (afresh ? 1 : kAsks); ++n) {
    ask.ask_once(program, asks);
    if (asks.asked > 0 && !asks.always_wrong()) return false;
  }
  return true;
}

Finding explain_unstable(const Program& program, const BackendAnswer& first, const History& history,
                         AskedBackend& asked, const Documented& documented, bool shrink) {
  AskAgain ask(asked, documented, kMostUnstablePrograms);
  const Asks fresh = ask.can_start_afresh() ? ask.ask_afresh(program, kAsks) : Asks{};
  if (fresh.never_wrong())
    if (auto trigger = find_trigger(program, history, ask, shrink))
      return state_dependent(std::move(*trigger), ask, shrink);
  if (fresh.always_wrong() && ask.ask_afresh(program, 4 * kAsks).always_wrong() &&
      ask.ask_here(program, 2 * kAsks).never_wrong())
    return first_of_process(program, fresh, ask);
  const Asks rate = ask.ask_here(program, kAsksForRate);
  const bool is_random = is_mixed(rate) || is_mixed(fresh) || !rate.same || !fresh.same;
  return is_random ? random_finding(program, first, fresh, rate, ask, shrink)
                   : unknown(program, first, fresh, rate, ask);
}

}  // namespace lanecheck
