// Is it what a rule speaks of that goes wrong? Changes nothing but that, and asks the backend again.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Drops the rules about element types, repeats, strides, counts and the place of the mask whose subject is
/// not the cause: a rule about an element type stays only if an instruction with a repeat of another number
/// of lanes is right, a rule about repeats only if a single repeat is right, and so on. If nothing else is
/// broken, those stay that cannot be tried.
void drop_rules_of_other_subjects(Finding& finding, AskedBackend& asked, const Documented& documented);

/// Does the finding's program pass with a single repeat, with data by which every element counts too?
bool one_repeat_passes(const Finding& finding, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
