#include "fuzz/run/find_backend.h"

#include <stdexcept>

#include "fuzz/backend/plugin_backend.h"
#include "fuzz/backend/process_backend.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

struct BuiltIn {
  std::string_view name, about;
  Backend (*make)();
};

constexpr BuiltIn kBuiltIn[] = {
    {"example", "the example simulator, written from the documents alone",
     [] {
       return function_backend("example", "the example simulator",
                               [](const Program& program, State& state) -> Outcome {
                                 if (auto why = simulator::refusal(program)) return Refused{std::move(*why)};
                                 simulator::run(program, state);
                                 return Ran{};
                               });
     }},
    {"oracle", "the oracle against itself",
     [] {
       return oracle_backend("oracle", [](Profile profile) { return Semantics(default_readings(profile)); });
     }},
};

}  // namespace

Backend oracle_backend(std::string name, const Semantics& semantics) {
  return oracle_backend(std::move(name), [semantics](Profile) { return semantics; });
}

Backend oracle_backend(std::string name, const std::function<Semantics(Profile)>& under) {
  const std::array<Semantics, kProfiles> by_profile = {under(Profile::vmc), under(Profile::a2),
                                                       under(Profile::p310), under(Profile::tik)};
  return function_backend(
      std::move(name), "the oracle", [by_profile](const Program& program, State& state) -> Outcome {
        const Semantics& semantics = by_profile[static_cast<std::size_t>(program.profile)];
        if (const auto fault = find_fault(program, semantics.readings))
          return Refused{describe(program, *fault)};
        execute(program, semantics, state);
        return Ran{};
      });
}

Backend accepting_backend(const LegalityRule& rule) {
  return function_backend("wrong:accepts-" + std::string(rule.id), "the oracle",
                          [&rule](const Program& program, State& state) -> Outcome {
                            const auto fault = find_fault(program);
                            if (fault && fault->rule != &rule) return Refused{describe(program, *fault)};
                            state = {program.ub};
                            if (!fault) execute(program, Semantics(default_readings(program.profile)), state);
                            return Ran{};
                          });
}

Backend find_backend(std::string_view name, const AttachOptions& options) {
  if (name.starts_with("cmd:")) return process_backend(std::string(name.substr(4)), options);
  if (name.starts_with("plugin:")) return plugin_backend(std::string(name.substr(7)), options);
  for (const BuiltIn& each : kBuiltIn)
    if (each.name == name) return each.make();
  constexpr std::string_view accepts = "wrong:accepts-";
  if (name.starts_with(accepts))
    if (const LegalityRule* rule = find_legality_rule(name.substr(accepts.size())))
      return accepting_backend(*rule);
  if (name.starts_with("wrong:"))
    if (const Mutant* wrong = find_mutant(name.substr(6)))
      return oracle_backend(std::string(name),
                            [wrong](Profile profile) { return wrong->semantics(default_readings(profile)); });
  std::string what = "no backend '";
  what.append(name).append(
      "'; there are: 'cmd: COMMAND' (a process), plugin:PATH (a shared library), example, oracle, and "
      "wrong:ID with the "
      "IDs that `lanecheck mutants --list` prints");
  throw std::invalid_argument(what);
}

}  // namespace lanecheck
