#include "fuzz/run/backend_pair.h"

#include "oracle/compare/compare.h"

namespace lanecheck {

bool both_ran(AnswerViews answers) {
  return std::ranges::all_of(
      answers, [](const AnswerView& each) { return std::holds_alternative<Ran>(each.outcome); });
}

Shown BackendPair::shown() const {
  const Shown one = backends_[0]->shown(profile_), two = backends_[1]->shown(profile_);
  return {one.mask && two.mask, one.mode && two.mode};
}

bool BackendPair::differ(AnswerViews answers) const {
  if (answers[0].outcome.index() != answers[1].outcome.index()) return true;
  return both_ran(answers) && !identical(answers[0].state, answers[1].state, shown());
}

bool BackendPair::matters(const Program& program, AnswerViews answers, const Semantics& documented) const {
  return differ(answers) && (bitwise_ || !documents_allow(program, answers[0], 0, documented) ||
                             !documents_allow(program, answers[1], 1, documented));
}

bool BackendPair::documents_allow(const Program& program, const AnswerView& answer, unsigned side,
                                  const Semantics& documented) const {
  return std::holds_alternative<Ran>(answer.outcome) &&
         agrees(program, documented, answer.state, backends_[side]->shown(profile_));
}

std::string BackendPair::name_of(unsigned side) const {
  const std::string& name = backends_[side]->name;
  if (name != backends_[1 - side]->name) return name;
  return name + (side == 0 ? " (the first)" : " (the second)");
}

}  // namespace lanecheck
