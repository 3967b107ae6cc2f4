// How well each rule is tried: how many generated instructions it speaks of, and which mutants that break
// it are caught.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "spec/legality/legality_rule.h"
#include "spec/rules/rule.h"

namespace lanecheck {

struct RuleCoverage {
  const Rule* rule = nullptr;  ///< null for a rule of legality
  /// Null for any other rule. Only rules that the generator steps over are listed.
  const LegalityRule* legality_rule = nullptr;
  std::uint64_t exercised = 0;  ///< instructions that the rule applies to, or cases at the edge of legality
  unsigned mutants = 0;         ///< mutants that break the rule
  unsigned caught = 0;          ///< those of them that the generated cases catch
  unsigned allowed = 0;  ///< those of them that are caught nowhere, because an open reading allows them

  std::string_view id() const { return rule != nullptr ? rule->id : legality_rule->id; }
  bool uncovered() const { return exercised == 0 || mutants == 0 || caught + allowed < mutants; }
};

/// Every rule of every profile, by document, in the order of its text; then the rules of legality. Generates
/// `cases` cases for each profile and tries each mutant on as many. Ends early, with counts that are too low,
/// if `stop` returns true.
std::vector<RuleCoverage> rule_coverage(std::uint64_t seed, std::uint64_t cases,
                                        const std::function<bool()>& stop = {});

}  // namespace lanecheck
