#include "fuzz/run/find_backend.h"

#include <array>
#include <optional>

#include "fuzz/backend/example_backend.h"
#include "fuzz/backend/plugin_backend.h"
#include "fuzz/backend/process_backend.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

Backend oracle() {
  return oracle_backend("oracle", [](Profile profile) { return Semantics(default_readings(profile)); });
}

struct BuiltIn {
  std::string_view name;
  Backend (*make)();
};

constexpr BuiltIn kBuiltIn[] = {
    {"example", &example_backend},  // the example simulator, written from the documents alone
    {"oracle", &oracle},            // the oracle against itself
};

/// The names that find_backend takes.
std::string backend_names() {
  std::string names = "'cmd: COMMAND' (a process), plugin:PATH (a shared library), ";
  for (const BuiltIn& each : kBuiltIn) names.append(each.name).append(", ");
  return names + "and wrong:ID or wrong:ID+ID with the IDs that `lanecheck mutants --list` prints";
}

/// The mutants of "ID" or "ID+ID+..."; none if one of them does not exist.
std::vector<const Mutant*> mutants_named(std::string_view ids) {
  const std::size_t plus = ids.find('+');
  const Mutant* first = find_mutant(ids.substr(0, plus));
  if (first == nullptr) return {};
  if (plus == std::string_view::npos) return {first};
  std::vector<const Mutant*> named = mutants_named(ids.substr(plus + 1));
  if (!named.empty()) named.insert(named.begin(), first);
  return named;
}

/// The backend of "wrong:ID" or "wrong:ID+ID"; nothing if there is no such mutant and no such legality rule.
std::optional<Backend> wrong_backend(std::string_view name) {
  constexpr std::string_view wrong = "wrong:", accepts = "wrong:accepts-";
  if (name.starts_with(accepts))
    if (const LegalityRule* rule = find_legality_rule(name.substr(accepts.size())))
      return accepting_backend(*rule);
  if (!name.starts_with(wrong)) return {};
  const auto named = mutants_named(name.substr(wrong.size()));
  if (named.empty()) return {};
  return oracle_backend(std::string(name), [named](Profile profile) {
    Semantics semantics(default_readings(profile));
    for (const Mutant* each : named) each->apply(semantics);
    return semantics;
  });
}

}  // namespace

Backend oracle_backend(std::string name, const Semantics& semantics) {
  return oracle_backend(std::move(name), [semantics](Profile) { return semantics; });
}

Backend oracle_backend(std::string name, const std::function<Semantics(Profile)>& under) {
  std::array<Semantics, kProfiles> by_profile;
  for (const Profile profile : kEveryProfile) by_profile[static_cast<std::size_t>(profile)] = under(profile);
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
  constexpr std::string_view command = "cmd:", plugin = "plugin:";
  if (name.starts_with(command)) return process_backend(std::string(name.substr(command.size())), options);
  if (name.starts_with(plugin)) return plugin_backend(std::string(name.substr(plugin.size())), options);
  for (const BuiltIn& each : kBuiltIn)
    if (each.name == name) return each.make();
  if (auto wrong = wrong_backend(name)) return *std::move(wrong);
  throw InputError("no backend '" + std::string(name) + "'", "there are " + backend_names());
}

}  // namespace lanecheck
