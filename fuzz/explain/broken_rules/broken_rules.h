// The rules that a diverging instruction breaks.
#pragma once

#include <string>
#include <vector>

#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/executed_step.h"
#include "reports/report.h"

namespace lanecheck {

/// The rules that the step violates. Those of the section that lists the instruction come first, contested
/// ones last.
std::vector<std::string> violated_rules(const ExecutedStep& step, const Documented& documented);

/// The rules that the last instruction of `part` violates in `step`, where it runs alone; if it sets the mask
/// and violates none there, those that it violates in `part`.
std::vector<std::string> violated_rules(const std::optional<ExecutedStep>& step, const Program& part,
                                        const State& before, AskedBackend& asked,
                                        const Documented& documented);

/// The rules that `step` violates with what the last instruction of `part` leaves behind the others, which is
/// wrong, though it is right alone.
std::vector<std::string> rules_in_program(ExecutedStep step, const Program& part, AskedBackend& asked,
                                          const Documented& documented);

/// The rules that the located instruction of `finding` violates because of the measured cause. If its own
/// program shows none, those that the probes violate.
std::vector<std::string> rules_broken_by(Finding finding, const MeasuredCause& cause, AskedBackend& asked,
                                         const Documented& documented);

}  // namespace lanecheck
