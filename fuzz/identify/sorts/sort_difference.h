// Which law of sort_laws.h gives every byte that sort32 or a merge leaves.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// sort32 and the merges of queues.
bool has_sort_probes(const Row& row);

/// Nothing of it if the backend is right.
struct SortDifference {
  std::optional<Difference> law;  ///< "sort32.f32 sorts in ascending order"
  /// If no law fits: "sort32.f32 writes wrong indices beside the right scores", with an example; nothing if
  /// both are wrong.
  std::optional<Difference> wrong_half;
};
SortDifference sort_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
