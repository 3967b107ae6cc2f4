// What mutants share: functions that put something else into one seam of the documented semantics.
#pragma once

#include "oracle/execute/machine.h"
#include "oracle/mutants/mutant_list.h"

namespace lanecheck {

template <SetMask With>
void replace_set_mask(Semantics& s, Op) {
  s.seams.set_mask = With;
}
template <SetBy With>
void replace_set_by(Semantics& s, Op) {
  s.seams.set_by = With;
}
template <Slots With>
void replace_gates(Semantics& s, Op) {
  s.seams.gates = With;
}
template <MaskHook With>
void replace_before_compute(Semantics& s, Op) {
  s.seams.before_compute = With;
}
template <MaskHook With>
void replace_after_compute(Semantics& s, Op) {
  s.seams.after_compute = With;
}
template <Walker With>
void replace_walk(Semantics& s, Op) {
  s.seams.walk = With;
}
template <Counted With>
void replace_counted(Semantics& s, Op) {
  s.seams.counted = With;
}
template <MaskUse With>
void replace_use(Semantics& s, Op op) {
  s.use[static_cast<std::size_t>(op)] = With;
}
inline void zero_masked_off(Semantics& s, Op) {
  s.seams.masked_off_becomes_zero = true;
}

/// What the documents say that `insn` walks over.
inline ResolvedInstruction documented_walk(const Instruction& insn, Mode mode, const Mask& mask,
                                           const Readings& readings) {
  return resolve(insn, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), readings);
}

/// The bits of a word from the highest to the lowest.
inline std::uint64_t reversed(std::uint64_t word) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 64; ++bit) result |= (word >> bit & 1) << (63 - bit);
  return result;
}

inline void set_swapped(Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, low, high);
}
inline void set_reversed(Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, reversed(high), reversed(low));
}

/// Fills `scratch` with slot(lane) for each lane.
template <class Slot>
const std::uint8_t* remap(Mask& scratch, Slot slot) {
  for (unsigned lane = 0; lane < kMaskSlots; ++lane) scratch[lane] = slot(lane);
  return scratch.data();
}

}  // namespace lanecheck
