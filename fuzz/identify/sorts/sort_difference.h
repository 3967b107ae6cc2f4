// Which law of sort_laws.h gives every byte that sort32 or a merge leaves.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// sort32 and the merges of queues.
bool has_sort_probes(const Row& row);

/// "sort32.f32 sorts in ascending order"; nothing if the backend is right, or if no law fits.
std::optional<Difference> sort_difference(const Subject& subject, const Ask& ask);

/// "sort32.f32 writes wrong indices beside the right scores", with an example; nothing if both are wrong.
std::optional<Difference> wrong_half_of_records(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
