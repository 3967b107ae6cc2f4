// Judges a recording as a run judges a backend: the same verdicts and findings, without asking anything.
#pragma once

#include "fuzz/recorded/recording.h"
#include "fuzz/run/options.h"
#include "fuzz/run/tally.h"

namespace lanecheck {

/// A backend that answers the programs of a recording with what was recorded, and skips all others. Of a
/// program that was recorded more than once it returns another result than that of record `judged`, so that a
/// flaky machine is seen. Refers to both arguments.
Backend backend_of(const Recording& recording, const std::size_t* judged = nullptr);

/// Judges every record by the readings of `options`, in the recording's profile. In a finding, first_case is
/// the id of the first record and first_file says where it stands. `others` counts records that the caller
/// has judged already; they are not in `recording`, and the report counts them, too.
Report judge_recording(const Recording& recording, RunOptions options, const RunHooks& hooks = {},
                       const Tally* others = nullptr);

}  // namespace lanecheck
