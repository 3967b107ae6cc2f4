// Which element a reduction with an index names, if it is not the first active one that holds the extreme.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cmax_index.f16 gives the index of the last of several equal elements": the law that gives every byte of
/// trials with many equal elements. Nothing if the backend is right, if no law fits, or if no index is
/// written.
std::optional<Difference> index_law(const Subject& subject, const Ask& ask);

/// "cmax_index.f16 gives the value alone, for order 0 (the value, then the index)"; nothing if no other order
/// gives every byte, or if the instruction has no such setting.
std::optional<Difference> order_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
