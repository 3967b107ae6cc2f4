// A repeat with as many lanes as fit of the narrower one of two types, said alike of places and of counts.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "spec/mask/footprint.h"

namespace lanecheck {

/// The key of the cause, whatever shows it.
inline constexpr std::string_view kLanesByNarrowerTypeKey = "lanes are counted by the narrower type";

/// How many lanes of the narrower type a repeat has room for.
inline unsigned lanes_of_narrower_type(const Instruction& insn) {
  return kRepeatBytes / std::min(size_of(insn.dst_type), size_of(insn.src_type));
}

/// "counts the lanes of a repeat by src, the narrower type: they are 128 instead of 64"
inline std::string counts_lanes_by_narrower_type(const Instruction& insn) {
  return std::string("counts the lanes of a repeat by ") +
         (size_of(insn.dst_type) < size_of(insn.src_type) ? "dst" : "src") +
         ", the narrower type: they are " + std::to_string(lanes_of_narrower_type(insn)) + " instead of " +
         std::to_string(lanes_of(insn));
}

}  // namespace lanecheck
