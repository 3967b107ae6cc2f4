#include <algorithm>

#include "spec/program/profile.h"
#include "spec/rules/documents.h"

namespace lanecheck {

std::span<const Rule> rules() {
  static const auto all = [] {
    std::vector<Rule> list;
    for (const auto rules_of : {vmc_register_rules, vmc_consuming_rules, vmc_ignoring_rules,
                                vmc_checklist_rules, svm_rules, gm_rules, vp_rules, tik_rules}) {
      const auto of_document = rules_of();
      list.insert(list.end(), of_document.begin(), of_document.end());
    }
    return list;
  }();
  return all;
}

std::span<const Rule> rules(Profile profile) {
  static const auto lists = [] {
    std::array<std::vector<Rule>, kProfiles> by_profile;
    for (std::size_t n = 0; n < kProfiles; ++n)
      for (const Rule& rule : rules())
        if (rule.holds_in(static_cast<Profile>(n))) by_profile[n].push_back(rule);
    return by_profile;
  }();
  return lists[static_cast<std::size_t>(profile)];
}

bool Rule::holds_in(Profile profile) const {
  if (!profiles.empty()) return profiles.contains(profile);
  return std::ranges::count(row_of(profile).documents, source.document) > 0;
}

const Rule* find_rule(std::string_view id) {
  const auto all = rules();
  const auto rule = std::ranges::find(all, id, &Rule::id);
  return rule == all.end() ? nullptr : &*rule;
}

}  // namespace lanecheck
