#include "fuzz/coverage/rule_coverage.h"

#include <map>

#include "fuzz/coverage/cell_counts.h"
#include "fuzz/coverage/mutant_search.h"
#include "fuzz/generate/edge.h"
#include "oracle/mutants/mutant.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using ById = std::map<std::string_view, RuleCoverage>;

using Stop = std::function<bool()>;

void count_exercised(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& rules_by_id,
                     const Stop& stop) {
  CellCounts cells;
  Program program;
  for (std::uint64_t index = 0; index < cases && !(stop && stop()); ++index) {
    generate(seed, index, drawn_mix(profile), program);
    cells.add(program, default_readings(profile));
  }
  cells.for_each([&](std::uint64_t key, std::uint64_t count) {
    for (const Rule& rule : rules(profile))
      if (rule.applies(cell_at(key))) rules_by_id[rule.id].exercised += count;
  });
}

void count_mutant(RuleCoverage& rule, const std::optional<CaughtMutant>& caught) {
  ++rule.mutants;
  if (!caught) return;
  ++(caught->reading.empty() ? rule.caught : rule.allowed);
}

void try_mutants(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& rules_by_id,
                 const Stop& stop) {
  for (const Mutant& mutant : mutants()) {
    if (stop && stop()) return;
    if (!mutant.exists_in(profile)) continue;
    const auto caught = catch_mutant(mutant, default_readings(profile), drawn_mix(profile), seed, cases);
    for (const auto broken : mutant.breaks) {
      const Rule* rule = find_rule(broken);
      if (rule == nullptr || !rule->holds_in(profile)) continue;
      count_mutant(rules_by_id[broken], caught);
    }
  }
}

/// Each rule of legality has one mutant: an implementation that runs what breaks it.
void try_edges(std::uint64_t seed, std::uint64_t cases, Profile profile, ById& rules_by_id,
               const Stop& stop) {
  Program program;
  for (std::uint64_t index = 0; index < cases && !(stop && stop()); ++index)
    ++rules_by_id[generate_at_edge(seed, index, drawn_mix(profile), program).rule->id].exercised;
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried() && rule.holds_in(profile) && !(stop && stop()))
      count_mutant(rules_by_id[rule.id], break_rule(rule, drawn_mix(profile), seed, cases));
}

}  // namespace

std::vector<RuleCoverage> rule_coverage(std::uint64_t seed, std::uint64_t cases,
                                        const std::function<bool()>& stop) {
  ById by_id;
  for (const Profile profile : kEveryProfile) {
    if (stop && stop()) break;
    count_exercised(seed, cases, profile, by_id, stop);
    try_mutants(seed, cases, profile, by_id, stop);
    try_edges(seed, cases / 4, profile, by_id, stop);
  }
  std::vector<RuleCoverage> list;
  for (const Rule& rule : rules()) {
    by_id[rule.id].rule = &rule;
    list.push_back(by_id[rule.id]);
  }
  for (const LegalityRule& rule : legality_rules()) {
    if (!rule.tried()) continue;
    by_id[rule.id].legality_rule = &rule;
    list.push_back(by_id[rule.id]);
  }
  return list;
}

}  // namespace lanecheck
