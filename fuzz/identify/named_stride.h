// Is the step that a sentence calls a repeat stride really one?
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// A step that equals a repeat stride of the subject may do so by chance. If `difference` calls its step S,
/// the repeat stride of an operand, asks with another repeat stride; unless the step follows it, the sentence
/// gets the number instead of S. `mask`: under which places are measured.
void confirm_named_stride(const Subject& subject, MaskWords mask, Difference& difference, const Ask& ask);

}  // namespace lanecheck
