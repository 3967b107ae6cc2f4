// The name of a finding: the reading, the mutant or the rules that say what the backend does.
#pragma once

#include "fuzz/explain/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Fills the id, the sentence, the verdict, the matter and the rules of a located finding. The first suspect
/// names it. Without suspects, the rules that the diverging instruction violates name it; the backend runs
/// that instruction again for this.
void name_finding(Finding& finding, const Suspects& suspects, AskedBackend& asked,
                  const Documented& documented);

}  // namespace lanecheck
