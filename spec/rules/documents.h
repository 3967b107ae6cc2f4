// The rules of each document, in the order of its text; those of VMC by its sections.
#pragma once

#include "spec/rules/rule.h"

namespace lanecheck {

std::span<const Rule> vmc_register_rules();   ///< goal, sections 1 and 2
std::span<const Rule> vmc_consuming_rules();  ///< section 3
std::span<const Rule> vmc_ignoring_rules();   ///< sections 4 and 5
std::span<const Rule> vmc_checklist_rules();  ///< sections 6 and 7
std::span<const Rule> svm_rules();
std::span<const Rule> gm_rules();
std::span<const Rule> vp_rules();
std::span<const Rule> tik_rules();

}  // namespace lanecheck
