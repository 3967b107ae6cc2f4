// What the wrong forms of an instruction's walk share.
#pragma once

#include "oracle/mutants/mutant_list.h"

namespace lanecheck {

using Walker = Effective (*)(const Instruction&, Mode, const Mask&, const Readings&);

template <Walker How>
void walking(Semantics& s, Op) {
  s.walk = How;
}

/// What the documents say that `i` walks over.
inline Effective documented_walk(const Instruction& i, Mode mode, const Mask& mask,
                                 const Readings& readings) {
  return effective(i, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), readings);
}

}  // namespace lanecheck
