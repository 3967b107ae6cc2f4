// What the files of rules share. Only files of this room include it.
#pragma once

#include <array>

#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"

namespace lanecheck::legality {

inline constexpr std::string_view kDevkit = "asc-devkit";
inline constexpr ProfileSet vmc = {Profile::vmc}, a2 = {Profile::a2}, p310 = {Profile::p310},
                            tik = {Profile::tik}, every = kAllProfiles;

// The rows of each file.
std::span<const LegalityRule> type_rules();
std::span<const LegalityRule> range_rules();
std::span<const LegalityRule> stride_rules();
std::span<const LegalityRule> mask_rules();
std::span<const LegalityRule> mask_state_rules();
std::span<const LegalityRule> place_rules();
std::span<const LegalityRule> offset_rules();
std::span<const LegalityRule> overlap_rules();
/// All of them, in the order in which one stage asks them.
inline auto rows_by_subject() {
  return std::array{type_rules(), range_rules(), stride_rules(), mask_state_rules(),
                    mask_rules(), place_rules(), offset_rules(), overlap_rules()};
}

inline constexpr std::uint64_t kMostCount = 0xffffffff;  ///< elements that a count of counter mode can state

inline std::string number(std::uint64_t n) {
  return std::to_string(n);
}
inline std::string role_of(const Site& site) {
  return std::string(site.column().role);
}

}  // namespace lanecheck::legality
