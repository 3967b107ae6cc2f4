// The name of a finding: the reading, the mutant, the measured cause or the rules that say what the backend
// does.
#pragma once

#include <string_view>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// The end of the id of a finding that nothing names, of a program that reads bytes behind UB.
inline constexpr std::string_view kReadsBehindUb = "-reads-behind-ub";

/// Fills the id, the sentence, the verdict, the matter and the rules of a located finding. The first suspect
/// names it. Without suspects, a cause measured on the backend names it. If none can be measured, the rules
/// that the diverging instruction violates and its lanes do; the backend runs that instruction again for
/// this.
void name_finding(Finding& finding, const Suspects& suspects, AskedBackend& asked,
                  const Documented& documented);

}  // namespace lanecheck
