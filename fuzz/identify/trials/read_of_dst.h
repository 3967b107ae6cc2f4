// From where an instruction that adds to dst reads its old content.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// In what the old dst is read with other strides than those with which dst is written. Nothing if it is read
/// where it should be, or if fresh strides do not show the same.
std::optional<Difference> read_of_dst_difference(const std::vector<Shape>& shapes, const Ask& ask);

}  // namespace lanecheck
