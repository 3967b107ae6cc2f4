// Whether what is wrong in some of few repeats is so in more of them.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// What is wrong in some of few repeats: in which of more it is wrong, and which elements it takes there,
/// shows whether these are the odd ones, the first one, or others.
std::vector<Difference> with_more_repeats(const Shape& shape, std::vector<Difference> differences,
                                          const Ask& ask);

}  // namespace lanecheck
