// Judges a trace: which of its steps are wrong, and why.
#pragma once

#include "fuzz/run/options.h"
#include "fuzz/trace/trace.h"

namespace lanecheck {

/// Judges the steps of a trace by the readings of `options`, in the trace's profile. The program of a finding
/// is its first step, cut out; first_case is the number of this step, and first_file says where it stands. A
/// line that cannot be read ends the trace: it is named in Report::unreadable, and the steps before it are
/// judged.
Report judge_trace(TraceReader& reader, RunOptions options, const RunHooks& hooks = {});

}  // namespace lanecheck
