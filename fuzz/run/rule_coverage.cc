#include "fuzz/run/rule_coverage.h"

#include <map>

#include "fuzz/generate/edge.h"
#include "fuzz/run/cell_counts.h"
#include "fuzz/run/find_backend.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

Mix drawn(Profile profile) {
  Mix mix;
  mix.profile = profile;
  mix.boundaries_first = false;
  return mix;
}

using ById = std::map<std::string_view, RuleCoverage>;

void count_exercised(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& rules_by_id) {
  CellCounts cells;
  Program program;
  for (std::uint64_t index = 0; index < cases; ++index) {
    generate(seed, index, drawn(profile), program);
    cells.add(program, default_readings(profile));
  }
  cells.for_each([&](std::uint64_t key, std::uint64_t count) {
    for (const Rule& rule : rules(profile))
      if (rule.applies(cell_at(key))) rules_by_id[rule.id].exercised += count;
  });
}

/// Does one of the first `cases` cases tell `wrong` from the documents?
bool is_caught(std::uint64_t seed, std::uint64_t cases, Profile profile, const Mutant& wrong) {
  const Readings readings = default_readings(profile);
  const Semantics documented(readings), mistaken = wrong.semantics(readings);
  const bool shown = row_of(profile).shows_mask;
  Program program;
  State expected, actual;
  for (std::uint64_t index = 0; index < cases; ++index) {
    generate(seed, index, drawn(profile), program);
    execute(program, documented, expected);
    execute(program, mistaken, actual);
    if (!identical(expected, actual, shown) && !compare(program, documented, actual, shown).agrees)
      return true;
  }
  return false;
}

void try_wrong_forms(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& rules_by_id) {
  for (const Mutant& wrong : mutants()) {
    if (!wrong.exists_in(profile)) continue;
    const bool caught = is_caught(seed, cases, profile, wrong);
    for (const auto broken : wrong.breaks) {
      const Rule* rule = find_rule(broken);
      if (rule == nullptr || !speaks_for(*rule, profile)) continue;
      ++rules_by_id[broken].forms;
      rules_by_id[broken].caught += caught ? 1 : 0;
    }
  }
}

/// Each rule of legality has one mutant: an implementation that runs what breaks it.
void try_borders(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& laws_by_id) {
  std::map<std::string_view, bool> caught;
  Program program;
  State state;
  for (std::uint64_t index = 0; index < cases; ++index) {
    const EdgeCase border = generate_at_edge(seed, index, drawn(profile), program);
    ++laws_by_id[border.rule->id].exercised;
    if (border.outside && !caught[border.rule->id])
      caught[border.rule->id] =
          std::holds_alternative<Ran>(accepting_backend(*border.rule).run(program, state));
  }
  for (const LegalityRule& law : legality_rules()) {
    if (!law.tried || !law.holds_in(profile)) continue;
    ++laws_by_id[law.id].forms;
    laws_by_id[law.id].caught += caught[law.id] ? 1 : 0;
  }
}

}  // namespace

std::vector<RuleCoverage> rule_coverage(std::uint64_t seed, std::uint64_t cases) {
  ById by_id;
  for (const Profile profile : kEveryProfile) {
    count_exercised(seed, cases, profile, by_id);
    try_wrong_forms(seed, cases, profile, by_id);
    try_borders(seed, cases / 4, profile, by_id);
  }
  std::vector<RuleCoverage> list;
  for (const Rule& rule : rules()) {
    by_id[rule.id].rule = &rule;
    list.push_back(by_id[rule.id]);
  }
  for (const LegalityRule& law : legality_rules()) {
    if (!law.tried) continue;
    by_id[law.id].law = &law;
    list.push_back(by_id[law.id]);
  }
  return list;
}

}  // namespace lanecheck
