// What the documented mask instructions do to the mask (VMC section 2).
#pragma once

#include "spec/instruction.h"
#include "spec/mask.h"

namespace lanecheck {

/// Bit i of `low` becomes slot i, bit i of `high` slot 64 + i; slots 128..255 stay (VMC 2).
inline void set_mask(Mask& mask, std::uint64_t high, std::uint64_t low) {
  set_mask_word(mask, 0, low);
  set_mask_word(mask, 1, high);
}

/// The mask after instruction `i`; only set_mask and reset_mask change it (VMC 2, 4).
inline void apply_documented(Mask& mask, const Instruction& i) {
  if (i.op == Op::set_mask) set_mask(mask, i.high, i.low);
  if (i.op == Op::reset_mask) mask = kFullMask;
}

}  // namespace lanecheck
