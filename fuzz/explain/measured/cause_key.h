// The key of a measured difference: the one that its producer gave, or what its sentence says apart from one
// instruction and its numbers. Findings with one key have one cause.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// The begin of the key of a law about strides, which all operands of all instructions may share.
inline constexpr std::string_view kStridesKey = "strides: ";

/// The part of a sentence that is the same for other instructions, element types and numbers of lanes.
/// `difference` was measured on `insn`. Numbers count only if they were measured in the `plain` shape.
std::string cause_key(const Difference& difference, const Instruction& insn, bool plain);

}  // namespace lanecheck
