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
/// Words for a reduction: none, or some of the eight data blocks of 16-bit lanes have no active lane.
MaskWords draw_mask_with_empty_blocks(Draws& draws);
/// Elements of a whole computation: a few repeats of `lanes` and their edges.
std::uint64_t draw_total(Draws& draws, unsigned lanes);
/// The same over 40 to 299 repeats: more than an 8-bit counter of repeats holds.
std::uint64_t draw_long_total(Draws& draws, unsigned lanes);
/// The same over 256 to 300 repeats.
std::uint64_t draw_far_total(Draws& draws, unsigned lanes);

}  // namespace lanecheck
