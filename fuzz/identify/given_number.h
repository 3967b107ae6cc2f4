// Differences that show only if an instruction is given a number of elements in place of mask words: counter
// mode, a count, or a contiguous mask.
#pragma once

#include "fuzz/identify/probes/length_map.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// How instruction `index` of the program is told which elements take part.
MaskGiven mask_given(const Program& program, std::size_t index);

/// The words of the mask that instruction `index` meets; nothing in counter mode.
std::optional<MaskWords> mask_at(const Program& program, std::size_t index);

/// The repeat times of instruction `index`: in counter mode, where those that are given have no say, the
/// repeats that the count needs.
std::uint32_t repeat_times_at(const Program& program, std::size_t index);

/// All ways of giving a number for which there are probes.
std::vector<MaskGiven> numbers_given(const Subject& subject);

/// The first of these that differs: which elements take part for which numbers, then, in counter mode, the
/// places of all operands in each of the shapes.
std::vector<Difference> number_differences(const std::vector<Shape>& shapes, MaskGiven given, const Ask& ask);

/// The same for an instruction that sets such a number in the register, seen by one that uses it.
std::vector<Difference> set_number_differences(const Subject& setter, const std::vector<Shape>& shapes,
                                               MaskGiven given, const Ask& ask);

}  // namespace lanecheck
