// A reduction that uses the mask which the last elementwise instruction used: a simulator may make its lanes
// of a mask only there.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Names the finding so if the diverging reduction, before which nothing but the mask is set, is right behind
/// an elementwise instruction under the same mask, and behind one under another mask leaves what that mask
/// gives. Alone it looks as if it ignored the mask. False if not; then one question was asked.
bool is_named_by_latched_mask(Finding& finding, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
