// Tells whether an operand walks with the stride of another operand, or what it makes of its own ones.
#pragma once

#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// A wrong stride may equal the one of another operand by chance. For each wrong stride in `differences` that
/// another operand of `subject` has, asks once more with another stride there. If the wrong stride follows,
/// the sentence says whose it is: "walks with the block stride of src0 instead of its own". `mask`: under
/// which places are measured. Of other wrong strides it says what holds for all of them, if further questions
/// show it: "walks with block stride 1, whatever is given", "uses only the lowest 3 bits of its block
/// stride".
void name_stride_owners(const Subject& subject, MaskWords mask, std::vector<Difference>& differences,
                        const Ask& ask);

}  // namespace lanecheck
