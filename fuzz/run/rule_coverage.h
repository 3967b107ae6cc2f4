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
  const Rule* rule = nullptr;         ///< one of the two
  const LegalityRule* law = nullptr;  ///< (only those that programs are made for)
  std::uint64_t exercised = 0;        ///< instructions, or border cases
  unsigned forms = 0, caught = 0;     ///< mutants

  std::string_view id() const { return rule != nullptr ? rule->id : law->id; }
  bool uncovered() const { return exercised == 0 || forms == 0 || caught < forms; }
};

/// Every rule of every profile, by document, in the order of its text; then the rules of legality. Generates
/// `cases` cases for each profile and tries each mutant on as many. Ends early, with counts that are too low,
/// if `stop` returns true.
std::vector<RuleCoverage> rule_coverage(std::uint64_t seed, std::uint64_t cases,
                                        const std::function<bool()>& stop = {});

}  // namespace lanecheck
