// A rule may fail on a program that breaks another one. Only those stay that the wrong elements prove broken.
#pragma once

#include <string_view>

#include "fuzz/explain/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// The map in which the measured cause lies: "gate", "dst"; empty if nothing was measured.
inline std::string_view map_of_cause(std::string_view key) {
  return key.substr(0, key.find(':'));
}

/// Are all slots on that gate lanes of the finding's instruction, or that the register has for them?
bool has_every_lane_on(const Finding& finding);

/// Drops rules that speak of something else than the measured cause.
void drop_rules_of_other_maps(std::vector<std::string>& rules, std::string_view map);

/// Drops rules that the wrong elements of the finding's own program do not prove broken: rules about lanes
/// that are off if every lane is on, about one repeat of gather_mask if one repeat passes, and the like.
void drop_unproven_rules(Finding& finding, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
