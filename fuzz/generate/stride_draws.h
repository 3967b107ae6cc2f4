// Draws of repeat times and strides.
#pragma once

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/draws.h"
#include "spec/program/profile.h"

namespace lanecheck {

/// From 0 to 10, mostly 1 and 2.
std::uint32_t draw_repeat(Draws& draws);

/// Every operand has strides of its own.
Strides draw_strides(Draws& draws);

/// Is the field of every block stride wider than a byte? Those of Ascend C differ.
bool has_wide_block_stride(const ProfileRow& profile);
/// Mostly more than eight data blocks, up to 255.
std::uint32_t draw_wide_block_stride(Draws& draws);
/// Is the field of a repeat stride wider than a byte?
bool has_wide_repeat_stride(const Row& row, const ProfileRow& profile);
/// Mostly more than eight data blocks; beyond 255 where the field is wider than a byte.
std::uint32_t draw_wide_repeat_stride(Draws& draws, const Row& row, const ProfileRow& profile);

/// Gives one operand of `row` a stride from the whole field of the call. One alone, and at most three
/// repeats, fit into UB.
void draw_wide_stride(Draws& draws, const Row& row, const ProfileRow& profile, Strides& strides);

}  // namespace lanecheck
