// What one call of gather_mask shows if no law predicts all of them.
#pragma once

#include "fuzz/identify/gather_mask/gather_mask_call.h"
#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Repeat times lanes + lane of the elements of src0 that are kept, by the documented places of src0.
/// Nothing if some element is not among them.
std::optional<std::vector<unsigned>> lanes_kept(const Instruction& insn, const Gathered& gathered);

/// A sentence about one call that does not give what it should.
Difference gather_example(const GatherCall& call, const Gathered& is, const Gathered& should);

}  // namespace lanecheck
