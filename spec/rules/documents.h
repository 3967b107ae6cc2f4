// The rules of each document, in the order of its text.
#pragma once

#include "spec/rules/rule.h"

namespace lanecheck {

std::span<const Rule> vmc_rules();
std::span<const Rule> svm_rules();
std::span<const Rule> gm_rules();
std::span<const Rule> vp_rules();
std::span<const Rule> tik_rules();

}  // namespace lanecheck
