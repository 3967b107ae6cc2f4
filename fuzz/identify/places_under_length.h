// Where an instruction reads and writes under a contiguous mask, if it is right under mask words.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// "dst of dup.f16 walks with repeat stride 8, whatever is given, under a contiguous mask, if the length
/// fills whole data blocks": of the first shape that shows a difference. `given`: the length is the
/// instruction's own or is in the register. Nothing of instructions whose mask does not gate what is written.
std::vector<Difference> places_under_length(const std::vector<Shape>& shapes, MaskGiven given,
                                            const Ask& ask);

}  // namespace lanecheck
