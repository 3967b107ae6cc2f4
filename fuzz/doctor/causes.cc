#include "fuzz/doctor/causes.h"

#include <algorithm>

namespace lanecheck {
namespace {

using Places = std::vector<std::size_t>;  // of answers in a diagnosis

struct Candidate {
  const AdapterMistake* mistake;
  Places explains;  ///< the wrong answers that such an adapter gives
  Places untold;    ///< the wrong answers for which it cannot be told what such an adapter answers
};

/// For each question, the programs that the backend ran before it.
std::vector<std::vector<Program>> programs_before(const Diagnosis& diagnosis) {
  std::vector<std::vector<Program>> all;
  std::vector<Program> before;
  for (const Answer& answer : diagnosis.answers) {
    all.push_back(before);
    before.insert(before.end(), answer.question.programs.begin(), answer.question.programs.end());
  }
  return all;
}

/// Nothing if an answer refutes the mistake.
std::optional<Candidate> candidate(const AdapterMistake& mistake, const Diagnosis& diagnosis,
                                   const std::vector<std::vector<Program>>& before) {
  Candidate found{&mistake, {}, {}};
  if (std::ranges::none_of(diagnosis.profiles, [&](Profile each) { return mistake.profiles.contains(each); }))
    return {};
  for (std::size_t n = 0; n < diagnosis.answers.size(); ++n) {
    const Answer& answer = diagnosis.answers[n];
    if (answer.kind != Answer::Kind::wrong && answer.kind != Answer::Kind::right) continue;
    const auto foretold = mistake.foretell({answer.question.programs, before[n]});
    if (!foretold) {
      if (answer.kind == Answer::Kind::wrong) found.untold.push_back(n);
      continue;
    }
    const auto& programs = answer.question.programs;
    if (same_states(programs, *foretold, answer.states, diagnosis.shows_mask)) {
      if (answer.kind == Answer::Kind::wrong) found.explains.push_back(n);
      continue;
    }
    const bool has_no_effect =
        same_states(programs, *foretold, right_answers(programs), diagnosis.shows_mask);
    if (!has_no_effect) return {};
  }
  if (found.explains.empty()) return {};
  return found;
}

bool has(const Places& places, std::size_t n) {
  return std::ranges::find(places, n) != places.end();
}

bool overlap(const Places& some, const Places& others) {
  return std::ranges::any_of(some, [&](std::size_t n) { return has(others, n); });
}

bool leaves_open(const std::vector<std::vector<Candidate>>& groups, std::size_t n) {
  return std::ranges::none_of(groups, [&](const auto& group) {
    return has(group.front().explains, n) || has(group.front().untold, n);
  });
}

/// The candidates that explain the same answers are one group: one of them is the cause. If one candidate
/// alone explains all wrong answers, there is one group. There are no groups if two of them explain the same
/// answer, or if they leave a wrong answer open.
std::vector<std::vector<Candidate>> grouped(std::vector<Candidate> candidates, const Places& wrong) {
  std::ranges::stable_sort(candidates, std::ranges::greater{},
                           [](const Candidate& each) { return each.explains.size(); });
  std::vector<std::vector<Candidate>> groups;
  for (Candidate& each : candidates) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return group.front().explains == each.explains; });
    if (same != groups.end()) {
      same->push_back(std::move(each));
      continue;
    }
    if (!groups.empty() && groups.front().front().explains.size() == wrong.size()) break;
    for (const auto& group : groups)
      if (overlap(group.front().explains, each.explains)) return {};
    groups.push_back({std::move(each)});
  }
  if (std::ranges::any_of(wrong, [&](std::size_t n) { return leaves_open(groups, n); })) return {};
  return groups;
}

/// "fresh_state", and of a further profile "tik:fresh_state".
std::string name_of(const Diagnosis& diagnosis, const Question& question) {
  const bool further = question.profile != diagnosis.profiles.front();
  return (further ? std::string(row_of(question.profile).name) + ":" : std::string()).append(question.id);
}

}  // namespace

bool same_states(std::span<const Program> programs, const std::vector<State>& some,
                 const std::vector<State>& others, bool shows_mask) {
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const bool judges_mask = shows_mask && mask_is_settled(programs[n]);
    if (!same_bytes(some[n].ub, others[n].ub) || (judges_mask && some[n].mask != others[n].mask))
      return false;
  }
  return true;
}

void find_causes(Diagnosis& diagnosis) {
  diagnosis.causes.clear();
  diagnosis.unexplained.clear();
  Places wrong;
  for (std::size_t n = 0; n < diagnosis.answers.size(); ++n)
    if (diagnosis.answers[n].kind == Answer::Kind::wrong) wrong.push_back(n);
  if (wrong.empty()) return;
  const auto before = programs_before(diagnosis);
  std::vector<Candidate> candidates;
  for (const AdapterMistake& mistake : mistakes())
    if (auto found = candidate(mistake, diagnosis, before)) candidates.push_back(std::move(*found));
  for (const auto& group : grouped(std::move(candidates), wrong)) {
    Cause cause;
    for (const Candidate& each : group) cause.mistakes.push_back(each.mistake);
    for (const std::size_t n : group.front().explains)
      cause.seen_in.push_back(name_of(diagnosis, diagnosis.answers[n].question));
    diagnosis.causes.push_back(std::move(cause));
  }
  if (!diagnosis.causes.empty()) return;
  for (const std::size_t n : wrong)
    diagnosis.unexplained.push_back(name_of(diagnosis, diagnosis.answers[n].question));
}

}  // namespace lanecheck
