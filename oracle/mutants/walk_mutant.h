// What the mutants of an instruction's walk share.
#pragma once

#include "oracle/mutants/mutant_list.h"

namespace lanecheck {

template <Walker How>
void walking(Semantics& s, Op) {
  s.seams.walk = How;
}

/// What the documents say that `insn` walks over.
inline ResolvedInstruction documented_walk(const Instruction& insn, Mode mode, const Mask& mask,
                                           const Readings& readings) {
  return resolve(insn, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), readings);
}

}  // namespace lanecheck
