#include "fuzz/exam/goals.h"

#include <algorithm>
#include <memory>

#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// What each meaning allows after one program. Computed when it is asked for.
class Allowed {
 public:
  /// The bytes before `from` may be anything.
  Allowed(const Program& program, const std::vector<Meaning>& meanings, std::size_t from = 0)
      : program_(program), meanings_(meanings), from_(from), results_(meanings.size()) {}

  const State& state(std::size_t meaning) {
    State& state = results_[meaning].state;
    if (state.ub.empty()) execute(program_, meanings_[meaning].semantics, state);
    return state;
  }

  /// Does the meaning allow this UB?
  bool allows(std::size_t meaning, const State& actual) {
    const State& expected = state(meaning);
    for (std::size_t n = from_; n < actual.ub.size(); ++n)
      if (expected.ub[n] != actual.ub[n] && !accepted(meaning).admits(actual.ub, n)) return false;
    return true;
  }

 private:
  struct Result {
    State state;
    std::unique_ptr<AcceptMap> accepted;
  };

  const AcceptMap& accepted(std::size_t meaning) {
    Result& result = results_[meaning];
    if (result.accepted == nullptr)
      result.accepted =
          std::make_unique<AcceptMap>(accept_sets(program_, meanings_[meaning].semantics, result.state));
    return *result.accepted;
  }

  const Program& program_;
  const std::vector<Meaning>& meanings_;
  std::size_t from_;
  std::vector<Result> results_;
};

bool has(const Program& program, Op op) {
  return std::ranges::any_of(program.instructions, [&](const Instruction& insn) { return insn.op == op; });
}

/// Is what the mutant leaves forbidden under every meaning?
bool catches(const Program& program, const Goal& goal, Allowed& allowed, std::size_t meanings,
             State& actual) {
  if (goal.mutant->only_in && !has(program, *goal.mutant->only_in)) return false;
  execute(program, goal.semantics, actual);
  if (same_bytes(actual.ub, allowed.state(0).ub)) return false;
  for (std::size_t each = 0; each < meanings; ++each)
    if (allowed.allows(each, actual)) return false;
  return true;
}

}  // namespace

Goals::Goals(Profile profile) {
  const Readings& base = default_readings(profile);
  meanings_.push_back({"", Semantics(base)});
  for (const Mutant& mutant : mutants())
    if (mutant.exists_in(profile))
      list_.push_back({.id = mutant.id, .mutant = &mutant, .semantics = mutant.semantics(base)});
  for (const Reading& reading : readings())
    if (reading.open_in(profile)) add_pairs(reading, base);
}

void Goals::add_pairs(const Reading& reading, const Readings& base) {
  std::vector<std::size_t> meanings;
  for (unsigned option = 0; option < reading.options.size(); ++option) {
    meanings.push_back(0);
    if (option == reading.get(base)) continue;
    meanings.back() = meanings_.size();
    Readings chosen = base;
    reading.set(chosen, option);
    std::string id(reading.id);
    meanings_.push_back({id.append("=").append(reading.options[option].name), Semantics(chosen)});
  }
  for (std::size_t one = 0; one < meanings.size(); ++one)
    for (std::size_t other = one + 1; other < meanings.size(); ++other) {
      std::string id(reading.id);
      id.append(": ").append(reading.options[one].name).append(" | ").append(reading.options[other].name);
      list_.push_back({.id = std::move(id),
                       .reading = &reading,
                       .one = meanings[one],
                       .other = meanings[other],
                       .by_refusal_alone = reading.decides == Decides::legality});
    }
}

std::vector<std::size_t> Goals::told_apart(const Program& program, const std::vector<std::size_t>& wanted,
                                           std::size_t from) const {
  Allowed allowed(program, meanings_, from);
  State actual;
  std::vector<std::size_t> found;
  for (const std::size_t n : wanted) {
    const Goal& goal = list_[n];
    const bool told = goal.mutant != nullptr ? catches(program, goal, allowed, meanings_.size(), actual)
                                             : !allowed.allows(goal.one, allowed.state(goal.other)) &&
                                                   !allowed.allows(goal.other, allowed.state(goal.one));
    if (told) found.push_back(n);
  }
  return found;
}

std::string Goals::allowed_by(const Program& program, const Goal& mutant) const {
  Allowed allowed(program, meanings_);
  State actual;
  execute(program, mutant.semantics, actual);
  if (same_bytes(actual.ub, allowed.state(0).ub) || allowed.allows(0, actual)) return {};
  for (std::size_t each = 1; each < meanings_.size(); ++each)
    if (allowed.allows(each, actual)) return meanings_[each].id;
  return {};
}

bool Goals::one_allows_other(const Program& program, const Goal& pair) const {
  Allowed allowed(program, meanings_);
  return !same_bytes(allowed.state(pair.one).ub, allowed.state(pair.other).ub) &&
         (allowed.allows(pair.one, allowed.state(pair.other)) ||
          allowed.allows(pair.other, allowed.state(pair.one)));
}

}  // namespace lanecheck
