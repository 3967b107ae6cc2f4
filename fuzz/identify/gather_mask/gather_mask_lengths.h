// Laws of gather_mask about how many elements a call looks at.
#pragma once

#include <vector>

#include "fuzz/identify/gather_mask/gather_mask_laws.h"

namespace lanecheck {

/// What the mask argument says, and which configuration of counter mode is followed.
void add_lengths(std::vector<GatherLaw>& laws, const Instruction& insn);

inline std::uint64_t rounded_up(std::uint64_t number, std::uint64_t unit) {
  return (number + unit - 1) / unit * unit;
}

}  // namespace lanecheck
