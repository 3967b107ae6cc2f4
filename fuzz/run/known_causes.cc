#include "fuzz/run/known_causes.h"

#include <algorithm>

#include "oracle/execute/execute.h"

namespace lanecheck {

bool may_touch(const Hypothesis& cause, const Program& program) {
  if (cause.wrong == nullptr || !cause.wrong->only_in) return true;
  return std::ranges::count(program.instructions, *cause.wrong->only_in, &Instruction::op) > 0;
}

void KnownCauses::add(const Hypothesis& cause) {
  if (std::ranges::count(causes_, &cause) > 0) return;
  causes_.push_back(&cause);
  Suspects readings;
  std::ranges::copy_if(causes_, std::back_inserter(readings),
                       [](const Hypothesis* each) { return each->reading != nullptr; });
  together_ = Semantics(with(documented_.readings(), readings));
  for (const Hypothesis* each : causes_)
    if (each->wrong != nullptr) each->wrong->apply(together_);
}

bool KnownCauses::reproduce(const Program& program, const State& actual, Shown shown) const {
  return any() && compare(program, together_, actual, shown).agrees;
}

bool KnownCauses::touches(const Hypothesis& cause, const Program& program, const State& expected,
                          Shown shown) {
  if (!may_touch(cause, program)) return false;
  State changed;
  execute(program, cause.semantics, changed);
  return !identical(expected, changed, shown);
}

}  // namespace lanecheck
