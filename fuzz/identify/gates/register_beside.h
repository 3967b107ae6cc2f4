// An instruction that brings its own mask, although the mask register decides about some of its lanes.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "lanes 64..127 of add.f16 are gated by the mask register instead of by its own mask if the high word is
/// 0". `alone`: its gates while the register is full. Nothing if the register has no say, or if no condition
/// on its own mask tells when.
std::optional<Difference> register_beside_own_mask(const Subject& subject, const GateMap& alone,
                                                   const Ask& ask);

}  // namespace lanecheck
