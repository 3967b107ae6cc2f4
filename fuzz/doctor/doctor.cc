#include "fuzz/doctor/doctor.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "reports/format.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

bool same(const std::vector<State>& some, const std::vector<State>& others, bool shows_mask) {
  return std::ranges::equal(some, others, [&](const State& one, const State& other) {
    return one.ub == other.ub && (!shows_mask || one.mask == other.mask);
  });
}

std::string first_difference(const std::vector<State>& want, const std::vector<State>& got, bool shows_mask) {
  for (std::size_t n = 0; n < want.size(); ++n) {
    const auto [here, there] = std::ranges::mismatch(want[n].ub, got[n].ub);
    const std::string program = want.size() > 1 ? "program " + std::to_string(n + 1) + ", " : "";
    if (here != want[n].ub.end())
      return program + "byte " + std::to_string(here - want[n].ub.begin()) + " of UB: expected " +
             show_hex(std::to_integer<std::uint64_t>(*here)) + ", got " +
             show_hex(std::to_integer<std::uint64_t>(*there));
    for (unsigned w = 0; shows_mask && w < kMaskSlots / 64; ++w)
      if (const auto expected = mask_word(want[n].mask, w), actual = mask_word(got[n].mask, w);
          expected != actual)
        return program + "word " + std::to_string(w) + " of the mask: expected " + show_hex(expected) +
               ", got " + show_hex(actual);
  }
  return {};
}

std::string failure_of(const Outcome& outcome) {
  if (const auto* refused = std::get_if<Refused>(&outcome)) return "refused: " + refused->why;
  if (const auto* skipped = std::get_if<Skipped>(&outcome)) return "skipped: " + skipped->why;
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
    if (!std::holds_alternative<Ran>(outcome)) {
      answer.kind = Answer::Kind::failed;
      answer.what = failure_of(outcome);
      return answer;
    }
  const auto right = right_answers(programs);
  if (same(right, answer.states, backend.shows_mask)) return answer;
  answer.kind = Answer::Kind::wrong;
  answer.what = first_difference(right, answer.states, backend.shows_mask);
  return answer;
}

/// Does an adapter with this mistake leave the states of answer `n`?
bool explains(const AdapterMistake& mistake, const Diagnosis& diagnosis, std::size_t n) {
  std::vector<Program> before;
  for (std::size_t k = 0; k < n; ++k) {
    const auto& programs = diagnosis.answers[k].question.programs;
    before.insert(before.end(), programs.begin(), programs.end());
  }
  const Answer& answer = diagnosis.answers[n];
  const auto foretold = mistake.foretell({answer.question.programs, before});
  return foretold && same(*foretold, answer.states, diagnosis.shows_mask);
}

/// Greedy: repeatedly picks the mistake that explains the most unexplained answers. A mistake that also
/// predicts the right answers comes before one that fits only the wrong ones.
void find_causes(Diagnosis& diagnosis) {
  std::vector<std::size_t> open, judged;
  for (std::size_t n = 0; n < diagnosis.answers.size(); ++n) {
    const auto kind = diagnosis.answers[n].kind;
    if (kind == Answer::Kind::wrong) open.push_back(n);
    if (kind == Answer::Kind::wrong || kind == Answer::Kind::right) judged.push_back(n);
  }
  while (!open.empty()) {
    Cause best;
    std::size_t best_score = 0;
    for (const AdapterMistake& mistake : mistakes()) {
      Cause cause{&mistake, {}};
      std::size_t fits = 0;
      for (const std::size_t n : judged) {
        if (!explains(mistake, diagnosis, n)) continue;
        ++fits;
        if (std::ranges::count(open, n) > 0) cause.seen_in.push_back(diagnosis.answers[n].question.id);
      }
      const std::size_t score =
          cause.seen_in.empty() ? 0 : diagnosis.answers.size() * cause.seen_in.size() + fits;
      if (score <= best_score) continue;
      best_score = score;
      best = std::move(cause);
    }
    if (best.mistake == nullptr) break;
    std::erase_if(open, [&](std::size_t n) {
      return std::ranges::count(best.seen_in, diagnosis.answers[n].question.id) > 0;
    });
    diagnosis.causes.push_back(std::move(best));
  }
  for (const std::size_t n : open) diagnosis.unexplained.push_back(diagnosis.answers[n].question.id);
}

}  // namespace

bool Diagnosis::healthy() const {
  return std::ranges::none_of(answers, [](const Answer& each) {
    return each.kind == Answer::Kind::wrong || each.kind == Answer::Kind::failed;
  });
}

bool Diagnosis::one_cause_for_all() const {
  std::size_t asked = 0, bad = 0;
  std::vector<std::string> failures;
  for (const Answer& each : answers) {
    asked += each.kind == Answer::Kind::not_asked ? 0 : 1;
    bad += each.kind == Answer::Kind::wrong || each.kind == Answer::Kind::failed ? 1 : 0;
    if (each.kind == Answer::Kind::failed && std::ranges::count(failures, each.what) == 0)
      failures.push_back(each.what);
  }
  return 2 * bad > asked && causes.size() + failures.size() == 1 && unexplained.empty();
}

Diagnosis examine(const Backend& backend) {
  Diagnosis diagnosis;
  diagnosis.shows_mask = backend.shows_mask;
  for (Question& question : questions(backend.capabilities)) {
    diagnosis.answers.push_back(ask(backend, std::move(question)));
    if (backend.given_up && !backend.given_up().empty()) break;
  }
  find_causes(diagnosis);
  return diagnosis;
}

std::vector<std::string> complaints(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const Cause& cause : diagnosis.causes) {
    std::string line("mistake: ");
    line.append(cause.mistake->cause).append(". Fix: ").append(cause.mistake->fix).append(". [");
    line.append(cause.mistake->id).append(", seen in");
    for (const auto id : cause.seen_in) line.append(" ").append(id);
    lines.push_back(line + "]");
  }
  for (const auto id : diagnosis.unexplained)
    lines.push_back("unexplained: the answer to " + std::string(id) + " matches no known mistake");
  for (const Answer& each : diagnosis.answers) {
    const std::string line = "the simulator fails on trivial programs: " + each.what;
    if (each.kind == Answer::Kind::failed && std::ranges::count(lines, line) == 0) lines.push_back(line);
  }
  return lines;
}

void print_diagnosis(std::ostream& out, const Diagnosis& diagnosis) {
  constexpr std::string_view marks[] = {"ok      ", "WRONG   ", "FAILED  ", "-       "};
  for (const Answer& each : diagnosis.answers) {
    out << marks[static_cast<std::size_t>(each.kind)] << std::left << std::setw(15) << each.question.id
        << each.question.asks;
    if (!each.what.empty()) out << "\n          " << printable(each.what);
    out << '\n';
  }
  for (const std::string& line : complaints(diagnosis)) out << printable(line) << '\n';
  out << (diagnosis.healthy() ? "healthy: the adapter is ready for `lanecheck run`\n"
                              : "not healthy: correct these mistakes first\n");
}

}  // namespace lanecheck
