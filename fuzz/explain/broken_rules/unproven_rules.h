// A rule may fail on a program that breaks another one. Only those stay that the wrong elements prove broken.
#pragma once

#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Are all slots on that gate lanes of the finding's instruction, or that the register has for them?
bool has_every_lane_on(const Finding& finding);

/// Drops rules that speak of something else than the measured cause.
void drop_rules_of_other_maps(std::vector<std::string>& rules, const MeasuredCause& cause);

/// Drops rules that the wrong elements of the finding's own program do not prove broken: rules about lanes
/// that are off if every lane is on, about one repeat of gather_mask if one repeat passes, and the like.
/// `cause`: null if nothing was measured.
void drop_unproven_rules(Finding& finding, const MeasuredCause* cause, AskedBackend& asked,
                         const Documented& documented);

}  // namespace lanecheck
