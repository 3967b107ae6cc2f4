// Tells whether an operand walks with the stride of another operand.
#pragma once

#include <vector>

#include "fuzz/probes/probe.h"

namespace lanecheck {

/// A wrong stride may equal the one of another operand by chance. For each wrong stride in `differences` that
/// another operand of `subject` has, asks once more with another stride there. If the wrong stride follows,
/// the sentence says whose it is: "walks with block stride 3 (that of src0) instead of 1". `mask`: under
/// which places are measured.
void name_stride_owners(const Subject& subject, MaskWords mask, std::vector<Difference>& differences,
                        const Ask& ask);

}  // namespace lanecheck
