// Finds the walk of an operand that is wrong in some repeats, or in some data blocks of each repeat, only.
#pragma once

#include "fuzz/identify/places/measured_strides.h"

namespace lanecheck {

/// "from data block 4 on, src of relu.i32 walks with block stride 1 instead of 2", or "src of relu.i32 starts
/// 64 elements earlier in every repeat after the first": what makes operand `k` walk over exactly the
/// elements that were found. Nothing if no such walk does, or if the walk is wrong everywhere in the same way
/// (that is measured_strides()).
std::optional<Difference> partial_strides(const Instruction& insn, unsigned k,
                                          const std::vector<Found>& found);

}  // namespace lanecheck
