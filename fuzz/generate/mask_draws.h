// Random masks: words, lengths and totals, often at their edges.
#pragma once

#include "fuzz/generate/draws.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {

/// Two words without a condition.
MaskWords draw_mask(Draws& draws);
/// Words that are legal for `lanes` lanes. `choice`: 0..15.
MaskWords draw_words(Draws& draws, unsigned lanes, unsigned choice);
/// The length of a contiguous mask for `lanes` lanes. `choice`: a small one picks an edge.
std::uint32_t draw_length(Draws& draws, unsigned lanes, unsigned choice);
/// Elements of a whole computation: a few repeats of `lanes` and their edges.
std::uint64_t draw_total(Draws& draws, unsigned lanes);

}  // namespace lanecheck
