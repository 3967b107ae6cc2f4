// Laws of places that maps suggest and further questions refute.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// Do the sentences, if each one is a law of places, not give what scattered data show?
bool are_refuted(const Subject& subject, const std::vector<Difference>& differences, const Ask& ask);

/// The places of a reduction are measured with the first lane of each group on. Does it read other elements
/// with the second one on? Then the gates are wrong, and not the places.
bool hangs_on_mask(const Shape& shape, const std::vector<Difference>& differences, const Ask& ask);

/// Does the subject go wrong under a full mask, and is it right if few lanes are off? Says no of instructions
/// whose dst no mask gates. Asked with the mask in the register.
bool is_wrong_under_full_mask_only(Subject subject, const Ask& ask);

}  // namespace lanecheck
