// What the sentence of a rule speaks of: a measured cause breaks no rule about something else.
#pragma once

#include "fuzz/explain/measured/measured_cause.h"

namespace lanecheck {

/// Drops the rules that the measured law does not contradict: a law of addresses breaks no rule about masks,
/// and a law of masks none about addresses, a law of values neither. Rules about repeat times and about dst
/// that is also a source stay only if the law speaks of these. A law of gather_mask breaks only rules of
/// gather_mask about the same matter.
void drop_rules_of_other_matters(std::vector<std::string>& rules, const MeasuredCause& cause);

}  // namespace lanecheck
