#include "fuzz/explain/suspects.h"

#include <algorithm>

namespace lanecheck {

Says says(const BackendAnswer& answer, const Program& program, const Documented& documented, Shown shown) {
  if (!answer.ran()) return Says::nothing;
  return compare(program, documented.semantics, answer.state, shown).agrees ? Says::conforms : Says::diverges;
}

Suspects suspects(const BackendAnswer& answer, const Program& program, const Documented& documented,
                  Shown shown) {
  Suspects found;
  // An answer that conforms fits every hypothesis that changes nothing there. That explains nothing.
  if (!diverges(answer, program, documented, shown)) return found;
  for (const Hypothesis& each : documented.hypotheses)
    if (explains(each, program, answer.state, shown)) found.push_back(&each);
  std::stable_partition(found.begin(), found.end(), [](const Hypothesis* each) { return !each->is_wrong(); });
  return found;
}

bool reproduces(const Suspects& some, const BackendAnswer& answer, const Program& program, Shown shown) {
  return answer.ran() && std::ranges::any_of(some, [&](const Hypothesis* each) {
           return explains(*each, program, answer.state, shown);
         });
}

bool reading_explains(const BackendAnswer& answer, const Program& program, const Documented& documented,
                      Shown shown) {
  return answer.ran() && std::ranges::any_of(documented.hypotheses, [&](const Hypothesis& each) {
           return !each.is_wrong() && explains(each, program, answer.state, shown);
         });
}

}  // namespace lanecheck
