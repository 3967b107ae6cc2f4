#include "fuzz/doctor/doctor.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "fuzz/doctor/causes.h"
#include "oracle/execute/execute.h"
#include "reports/format.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::string first_difference(std::span<const Program> programs, const std::vector<State>& want,
                             const std::vector<State>& got, bool shows_mask) {
  for (std::size_t n = 0; n < want.size(); ++n) {
    const auto [here, there] = std::ranges::mismatch(want[n].ub, got[n].ub);
    const std::string program = want.size() > 1 ? "program " + std::to_string(n + 1) + ", " : "";
    if (here != want[n].ub.end())
      return program + "byte " + std::to_string(here - want[n].ub.begin()) + " of UB: expected " +
             show_hex(std::to_integer<std::uint64_t>(*here)) + ", got " +
             show_hex(std::to_integer<std::uint64_t>(*there));
    for (unsigned w = 0; shows_mask && mask_is_settled(programs[n]) && w < kMaskSlots / 64; ++w)
      if (const auto expected = mask_word(want[n].mask, w), actual = mask_word(got[n].mask, w);
          expected != actual)
        return program + "word " + std::to_string(w) + " of the mask: expected " + show_hex(expected) +
               ", got " + show_hex(actual);
  }
  return {};
}

/// Are the answers those that one reading gives? What the documents leave open is no mistake.
bool follow_a_reading(std::span<const Program> programs, const std::vector<State>& states, bool shows_mask) {
  for (const Reading& reading : readings())
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      const bool is_open =
          std::ranges::all_of(programs, [&](const Program& each) { return reading.open_in(each.profile); });
      if (!is_open || reading.decides == Decides::legality) continue;
      std::vector<State> left(programs.size());
      for (std::size_t n = 0; n < programs.size(); ++n) {
        Readings chosen = default_readings(programs[n].profile);
        reading.set(chosen, option);
        execute(programs[n], Semantics(chosen), left[n]);
      }
      if (same_states(programs, left, states, shows_mask)) return true;
    }
  return false;
}

/// Wrong answers for which no mistake is known are right if a reading gives them. Are there some?
bool allow_readings(Diagnosis& diagnosis) {
  if (diagnosis.unexplained.empty()) return false;
  bool any = false;
  for (Answer& each : diagnosis.answers) {
    if (each.kind != Answer::Kind::wrong ||
        !follow_a_reading(each.question.programs, each.states, diagnosis.shows_mask))
      continue;
    each.kind = Answer::Kind::right;
    any = true;
  }
  return any;
}

std::string failure_of(const Outcome& outcome) {
  if (const auto* refused = std::get_if<Refused>(&outcome)) return "refused: " + refused->why;
  if (const auto* errored = std::get_if<Errored>(&outcome)) return errored->what;
  return "not run: the backend failed too often before";
}

Answer ask(const Backend& backend, Question question) {
  Answer answer{std::move(question), Answer::Kind::right, {}, {}};
  const auto& programs = answer.question.programs;
  if (programs.empty()) {
    answer.kind = Answer::Kind::not_asked;
    answer.what = "not asked: the backend does not offer ";
    answer.what.append(answer.question.needs);
    return answer;
  }
  answer.states.resize(programs.size());
  std::vector<Outcome> outcomes(programs.size());
  run_all(backend, {programs, answer.states, outcomes});
  for (const Outcome& outcome : outcomes)
    if (const auto* skipped = std::get_if<Skipped>(&outcome)) {
      answer.kind = Answer::Kind::not_asked;  // which a backend may do
      answer.what = "not answered: the backend skips it: " + skipped->why;
      return answer;
    } else if (!std::holds_alternative<Ran>(outcome)) {
      answer.kind = Answer::Kind::failed;
      answer.what = failure_of(outcome);
      return answer;
    }
  const auto right = right_answers(programs);
  if (same_states(programs, right, answer.states, backend.shows_mask)) return answer;
  answer.kind = Answer::Kind::wrong;
  answer.what = first_difference(programs, right, answer.states, backend.shows_mask);
  return answer;
}

/// The faults of single instructions that say more than the answers to the questions. If everything that must
/// write leaves its dst as it was, the wrong answers say so already.
std::vector<InstructionFault> new_faults(InstructionCheck& check, bool has_wrong_answers) {
  std::erase_if(check.faults, [&](const InstructionFault& each) {
    return each.kind == InstructionFault::Kind::writes_nothing && has_wrong_answers &&
           each.instructions.size() == check.writers;
  });
  return std::move(check.faults);
}

std::string complaint(const Cause& cause) {
  std::string line("mistake, by its answers: "), fix, ids;
  for (const AdapterMistake* each : cause.mistakes) {
    if (each != cause.mistakes.front()) {
      line.append("; or ");
      fix.append("; or ");
      ids.append(" or ");
    }
    line.append(each->cause);
    fix.append(each->fix);
    ids.append(each->id);
  }
  line.append(". Fix: ").append(fix).append(". [").append(ids).append(", seen in");
  for (const std::string& id : cause.seen_in) line.append(" ").append(id);
  return line + "]";
}

/// An instruction that the backend skips is no mistake.
bool finds_mistake(const InstructionCheck& check) {
  return std::ranges::any_of(check.faults, [](const InstructionFault& each) {
    return each.kind != InstructionFault::Kind::skipped;
  });
}

/// The profiles that the backend offers, in the order of profiles().
std::vector<Profile> profiles_of(const Backend& backend) {
  std::vector<Profile> offered;
  for (const ProfileRow& row : profiles())
    if (std::ranges::count(backend.profiles, row.name) > 0) offered.push_back(row.profile);
  return offered;
}

/// Which profile the questions that follow are about.
void print_profile(std::ostream& out, const Diagnosis& diagnosis, Profile profile) {
  out << "profile " << row_of(profile).name;
  if (profile != diagnosis.profiles.front())
    out << ", only the questions about masks and a fresh state; the others were programs of "
        << row_of(diagnosis.profiles.front()).name;
  out << '\n';
}

/// Does a program see what another one left? Then an instruction may fail because of that.
bool something_leaks(const std::vector<Cause>& causes) {
  return std::ranges::any_of(causes, [](const Cause& cause) {
    return std::ranges::any_of(cause.mistakes,
                               [](const AdapterMistake* each) { return each->id.ends_with("-leaks"); });
  });
}

std::string fix_of(InstructionFault::Kind kind) {
  if (kind == InstructionFault::Kind::writes_nothing)
    return "write the results into dst; if the simulator is what does not write them, a run measures when";
  if (kind == InstructionFault::Kind::not_under_full_length)
    return "a contiguous mask of n lanes is the n lowest bits, for n = 64 and n = 128 too";
  return "correct the adapter, or do not offer what the simulator does not have";
}

}  // namespace

bool Diagnosis::healthy() const {
  const auto [bad, asked] = bad_and_asked();
  return bad == 0 && !finds_mistake(instructions) && !skips_everything();
}

std::pair<std::size_t, std::size_t> Diagnosis::bad_and_asked() const {
  std::size_t bad = 0, asked = 0;
  for (const Answer& each : answers) {
    asked += each.kind == Answer::Kind::not_asked ? 0 : 1;
    bad += each.kind == Answer::Kind::wrong || each.kind == Answer::Kind::failed ? 1 : 0;
  }
  return {bad, asked};
}

bool Diagnosis::skips_everything() const {
  std::size_t skipped = 0;
  for (const InstructionFault& each : instructions.faults)
    if (each.kind == InstructionFault::Kind::skipped) skipped += each.instructions.size();
  return instructions.asked > 0 && skipped == instructions.asked;
}

bool Diagnosis::one_cause_for_all() const {
  const auto [bad, asked] = bad_and_asked();
  std::vector<std::string> failures;
  for (const Answer& each : answers)
    if (each.kind == Answer::Kind::failed && std::ranges::count(failures, each.what) == 0)
      failures.push_back(each.what);
  return 2 * bad > asked && causes.size() + failures.size() == 1 && unexplained.empty();
}

std::string Diagnosis::why_not_run() const {
  const auto [bad, asked] = bad_and_asked();
  const std::string which = bad == asked
                                ? "all checks fail"
                                : std::to_string(bad) + " of " + std::to_string(asked) + " checks fail";
  return which + (bad == 1 ? ", and the reason is shown above" : " for the same reason, shown above");
}

Diagnosis examine(const Backend& backend, std::vector<Profile> profiles) {
  const auto gave_up = [&] { return backend.given_up && !backend.given_up().empty(); };
  Diagnosis diagnosis;
  diagnosis.shows_mask = backend.shows_mask;
  diagnosis.profiles = profiles.empty() ? profiles_of(backend) : std::move(profiles);
  for (Question& question : questions(backend.capabilities, diagnosis.profiles)) {
    diagnosis.answers.push_back(ask(backend, std::move(question)));
    if (gave_up()) break;
  }
  find_causes(diagnosis);
  if (allow_readings(diagnosis)) find_causes(diagnosis);
  if (gave_up()) return diagnosis;
  diagnosis.instructions = check_instructions(backend, diagnosis.profiles);
  const bool has_wrong = !diagnosis.causes.empty() || !diagnosis.unexplained.empty();
  diagnosis.instructions.faults = new_faults(diagnosis.instructions, has_wrong);
  return diagnosis;
}

std::vector<std::string> complaints(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const Cause& cause : diagnosis.causes) lines.push_back(complaint(cause));
  if (const auto& wrong = diagnosis.unexplained; !wrong.empty()) {
    const std::string why =
        finds_mistake(diagnosis.instructions)
            ? " wrong, perhaps by the mistake that stands below: a run measures the cause"
            : " wrong. No known mistake of an adapter gives that, so the cause may lie in "
              "the simulator: a run measures it";
    lines.push_back("difference: " +
                    std::string(wrong.size() == 1 ? "the answer to question " : "the answers to questions ") +
                    joined(wrong) + (wrong.size() == 1 ? " is" : " are") + why);
  }
  if (diagnosis.skips_everything()) lines.push_back("mistake: the backend skips all that it was asked");
  const bool leaks = something_leaks(diagnosis.causes);
  for (const InstructionFault& each : diagnosis.instructions.faults)
    if (each.kind != InstructionFault::Kind::skipped &&
        !(leaks && each.kind == InstructionFault::Kind::fails))
      lines.push_back("mistake: " + sentence_of(each) + ". Fix: " + fix_of(each.kind));
  for (const Answer& each : diagnosis.answers) {
    const std::string line = "the simulator fails on trivial programs: " + each.what;
    const bool is_said =
        std::ranges::any_of(diagnosis.instructions.faults,
                            [&](const InstructionFault& fault) { return fault.what == each.what; });
    if (each.kind == Answer::Kind::failed && !is_said && std::ranges::count(lines, line) == 0)
      lines.push_back(line);
  }
  return lines;
}

void print_diagnosis(std::ostream& out, const Diagnosis& diagnosis) {
  constexpr std::string_view marks[] = {"ok      ", "WRONG   ", "FAILED  ", "-       "};
  const auto print_row = [&](Answer::Kind kind, std::string_view id, std::string_view asks) {
    out << marks[static_cast<std::size_t>(kind)] << std::left << std::setw(15) << id << asks;
  };
  for (const Answer& each : diagnosis.answers) {
    const bool begins =
        &each == &diagnosis.answers.front() || (&each)[-1].question.profile != each.question.profile;
    if (begins) print_profile(out, diagnosis, each.question.profile);
    print_row(each.kind, each.question.id, each.question.asks);
    if (!each.what.empty()) out << "\n          " << printable(each.what);
    out << '\n';
  }
  const InstructionCheck& single = diagnosis.instructions;
  if (single.asked > 0) {
    print_row(finds_mistake(single) ? Answer::Kind::wrong : Answer::Kind::right, "instructions",
              "does every instruction on offer run, and does it change dst?");
    for (const InstructionFault& each : single.faults) out << "\n          " << printable(sentence_of(each));
    for (const std::string& each : single.types_not_asked)
      out << "\n          not asked: the other element types of " << each;
    out << '\n';
  }
  for (const std::string& line : complaints(diagnosis)) out << printable(line) << '\n';
  if (diagnosis.healthy())
    out << "healthy: the adapter is ready for `lanecheck run`. The doctor asked whether each of "
        << counted(single.asked, "instruction")
        << " runs (each choice of element types counts); the values are judged by `lanecheck run`\n";
  else
    out << "not healthy: correct these mistakes first\n";
}

}  // namespace lanecheck
