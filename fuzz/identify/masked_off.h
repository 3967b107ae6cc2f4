// What masked-off lanes receive if they do not keep their old dst.
#pragma once

#include "fuzz/probes/probe.h"

namespace lanecheck {

/// Changes a sentence that names the value if other sources give another value: "masked-off lanes of vnot.u32
/// receive the element of a source". Other sentences stay as they are.
void say_masked_off(const Subject& subject, const Ask& ask, Difference& difference);

}  // namespace lanecheck
