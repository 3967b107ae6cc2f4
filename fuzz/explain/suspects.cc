#include "fuzz/explain/suspects.h"

#include <algorithm>

#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// The hypotheses under which `probe` ends in a state that the documents forbid.
Suspects that_predict_divergence(const Suspects& some, const Program& probe, const Documented& documented,
                                 Shown shown) {
  State expected, believed;
  execute(probe, documented.semantics, expected);
  Suspects predict;
  for (const Hypothesis* each : some) {
    execute(probe, each->semantics, believed);
    if (!identical(expected, believed, shown) &&
        !compare(probe, documented.semantics, believed, shown).agrees)
      predict.push_back(each);
  }
  return predict;
}

}  // namespace

bool diverges(const BackendAnswer& answer, const Program& program, const Documented& documented,
              Shown shown) {
  if (std::holds_alternative<NotRun>(answer.outcome)) return false;
  if (!answer.ran()) return !std::holds_alternative<Skipped>(answer.outcome);
  return !compare(program, documented.semantics, answer.state, shown).agrees;
}

Suspects suspects(const BackendAnswer& answer, const Program& program, const Documented& documented,
                  Shown shown) {
  if (!answer.ran()) return {};
  return blame(documented.hypotheses, program, answer.state, shown);
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

Suspects refine(Suspects some, AskedBackend& asked, const Documented& documented) {
  constexpr std::uint64_t kDrawn = 12'000, kProbeSeed = 0x6c616e65;
  constexpr unsigned kMostAsked = 600;
  const bool readings_alone = !some.empty() && !some.front()->is_wrong();
  if (some.empty() || (readings_alone && some.size() == 1)) return some;
  const Suspects all = some;
  Mix mix;
  mix.profile = documented.profile;
  mix.boundaries_first = false;
  mix.wild_in_sixteen = 0;
  Program probe;
  unsigned count = 0;
  for (std::uint64_t index = 0; index < kDrawn && count < kMostAsked && !some.empty(); ++index) {
    if (asked.gives_up(kMostRestarts)) break;
    generate(kProbeSeed, index, mix, probe);
    if (!restrict_to(asked.backend().capabilities, probe).empty() && find_fault(probe)) continue;
    const Suspects predict = that_predict_divergence(some, probe, documented, asked.shown());
    if (predict.empty()) continue;
    ++count;
    if (!diverges(asked.ask(probe), probe, documented, asked.shown()))
      std::erase_if(some, [&](const Hypothesis* each) { return std::ranges::count(predict, each) > 0; });
  }
  return some.empty() && readings_alone ? all : some;
}

}  // namespace lanecheck
