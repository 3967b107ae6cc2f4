// A contiguous mask of an instruction's own that counts in some of its repeats alone.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "add.f16 takes all lanes instead of a contiguous mask of its own in every repeat but the last": nothing if
/// the instruction takes no such mask, if the backend is right, or if this does not give all that it leaves.
std::optional<Difference> contiguous_in_repeats(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
