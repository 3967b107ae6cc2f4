#include "fuzz/run/known_causes.h"

#include <algorithm>

#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostInPairs = 60;  // mistakes that are tried in pairs

}  // namespace

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
  return any() && agrees(program, together_, actual, shown);
}

bool KnownCauses::touch(const Program& program, Shown shown) const {
  if (!any()) return false;
  State expected, changed;
  execute(program, documented_.semantics, expected);
  execute(program, together_, changed);
  return !identical(expected, changed, shown);
}

Suspects KnownCauses::missing(const Program& program, const State& actual, Shown shown) const {
  const auto gives = [&](std::initializer_list<const Hypothesis*> more) {
    Semantics all = together_;
    for (const Hypothesis* each : more) each->wrong->apply(all);
    return agrees(program, all, actual, shown);
  };
  Suspects touching, found;
  State expected;
  execute(program, documented_.semantics, expected);
  for (const Hypothesis& each : documented_.hypotheses)
    if (each.wrong != nullptr && std::ranges::count(causes_, &each) == 0 &&
        touches(each, program, expected, shown))
      touching.push_back(&each);
  std::ranges::copy_if(touching, std::back_inserter(found), [&](auto* each) { return gives({each}); });
  if (!found.empty() || touching.size() > kMostInPairs) return found;
  const auto add_once = [&](const Hypothesis* each) {
    if (std::ranges::count(found, each) == 0) found.push_back(each);
  };
  for (std::size_t one = 0; one < touching.size(); ++one)
    for (std::size_t other = one + 1; other < touching.size(); ++other)
      if (gives({touching[one], touching[other]})) {
        add_once(touching[one]);
        add_once(touching[other]);
      }
  return found;
}

bool KnownCauses::shows_alone(const Hypothesis& mistake, const Program& program, Shown shown) const {
  if (!may_touch(mistake, program)) return false;
  State actual;
  execute(program, mistake.semantics, actual);
  return !agrees(program, documented_.semantics, actual, shown) && !touch(program, shown);
}

bool KnownCauses::touches(const Hypothesis& cause, const Program& program, const State& expected,
                          Shown shown) {
  if (!may_touch(cause, program)) return false;
  State changed;
  execute(program, cause.semantics, changed);
  return !identical(expected, changed, shown);
}

}  // namespace lanecheck
