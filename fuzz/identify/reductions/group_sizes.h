// A reduction that takes more or fewer neighbouring lanes for one result than documented.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "a data block of cgmax.i16 is 8 elements instead of 16: it gives 16 results of a repeat". Said only if it
/// gives every byte of UB, under several masks.
std::optional<Difference> group_size_difference(const Subject& subject, const Ask& ask);

/// Its groups are those of the active lanes in a row. Under a full mask its results are right.
std::optional<Difference> active_lanes_in_groups(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
