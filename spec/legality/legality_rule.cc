#include "spec/legality/legality_rule.h"

#include <algorithm>
#include <vector>

#include "spec/legality/rows.h"

namespace lanecheck {
namespace {

std::vector<LegalityRule> by_position() {
  std::vector<LegalityRule> all;
  for (const auto rows : legality::rows_by_subject()) all.insert(all.end(), rows.begin(), rows.end());
  std::ranges::stable_sort(all, {}, &LegalityRule::position);
  return all;
}

}  // namespace

std::span<const LegalityRule> legality_rules() {
  static const std::vector<LegalityRule> rules = by_position();
  return rules;
}

const LegalityRule* find_legality_rule(std::string_view id) {
  const auto rules = legality_rules();
  const auto rule = std::ranges::find(rules, id, &LegalityRule::id);
  return rule == rules.end() ? nullptr : &*rule;
}

}  // namespace lanecheck
