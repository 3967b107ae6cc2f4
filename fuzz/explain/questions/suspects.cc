#include "fuzz/explain/questions/suspects.h"

#include <algorithm>

#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// Do the readings decide alike what may differ from the state that the oracle leaves?
bool are_as_lenient(const Semantics& a, const Semantics& b) {
  return a.readings.sum_order == b.readings.sum_order &&
         a.readings.gather_past_count == b.readings.gather_past_count &&
         a.readings.outside_domain == b.readings.outside_domain && a.empty == b.empty;
}

/// Which hypotheses give an answer that diverges? One that leaves the documented state, and allows no more,
/// does not: to see this is cheap.
class Explains {
 public:
  Explains(const Program& program, const Documented& documented, const State& actual, Shown shown)
      : program_(program), documented_(documented), actual_(actual), shown_(shown) {
    execute(program, documented.semantics, expected_);
  }

  bool operator()(const Hypothesis& each) const {
    if (!may_touch(each, program_)) return false;
    State predicted;
    execute(program_, each.semantics, predicted);
    if (identical(predicted, expected_, true) && are_as_lenient(each.semantics, documented_.semantics))
      return false;
    return agrees(program_, each.semantics, predicted, actual_, shown_);
  }

 private:
  const Program& program_;
  const Documented& documented_;
  const State& actual_;
  Shown shown_;
  State expected_;
};

}  // namespace

Says says(const BackendAnswer& answer, const Program& program, const Documented& documented, Shown shown) {
  if (!answer.ran()) return Says::nothing;
  return agrees(program, documented.semantics, answer.state, shown) ? Says::conforms : Says::diverges;
}

bool may_touch(const Hypothesis& cause, const Program& program) {
  if (cause.wrong == nullptr || !cause.wrong->only_in) return true;
  return std::ranges::count(program.instructions, *cause.wrong->only_in, &Instruction::op) > 0;
}

Suspects suspects(const BackendAnswer& answer, const Program& program, const Documented& documented,
                  Shown shown) {
  Suspects found;
  // An answer that conforms fits every hypothesis that changes nothing there. That explains nothing.
  if (!diverges(answer, program, documented, shown)) return found;
  const Explains gives(program, documented, answer.state, shown);
  for (const Hypothesis& each : documented.hypotheses)
    if (gives(each)) found.push_back(&each);
  std::stable_partition(found.begin(), found.end(), [](const Hypothesis* each) { return !each->is_wrong(); });
  return found;
}

bool reproduces(const Suspects& some, const BackendAnswer& answer, const Program& program, Shown shown) {
  return answer.ran() && std::ranges::any_of(some, [&](const Hypothesis* each) {
           return explains(*each, program, answer.state, shown);
         });
}

bool proves_nothing(const Program& program, const Documented& documented) {
  return documented.followed && find_fault(program, documented.followed->readings);
}

bool reading_explains(const BackendAnswer& answer, const Program& program, const Documented& documented,
                      Shown shown) {
  if (proves_nothing(program, documented)) return true;
  if (!answer.ran()) return false;
  if (documented.followed && agrees(program, *documented.followed, answer.state, shown)) return true;
  const Explains gives(program, documented, answer.state, shown);
  return std::ranges::any_of(documented.hypotheses,
                             [&](const Hypothesis& each) { return !each.is_wrong() && gives(each); });
}

}  // namespace lanecheck
