// Does an operand take its block stride for its repeat stride, and the reverse?
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// If `difference` says that an operand walks with both strides exchanged, asks with other strides. If they
/// are exchanged too, the sentence says so: "exchanges block stride and repeat stride". `mask`: under which
/// places are measured.
void name_exchanged_strides(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask);

}  // namespace lanecheck
