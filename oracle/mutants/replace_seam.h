// What mutants share: functions that put something else into one seam of the documented semantics.
#pragma once

#include "oracle/execute/machine.h"
#include "oracle/mutants/mutant_list.h"

namespace lanecheck {

template <class Member>
struct TypeOfSeam;
template <class T>
struct TypeOfSeam<T Seams::*> {
  using type = T;
};

/// `With` takes the place of the member `Seam` of Seams.
template <auto Seam, typename TypeOfSeam<decltype(Seam)>::type With>
void replace_seam(Semantics& s) {
  s.seams.*Seam = With;
}
/// `op` uses the mask as `use` says.
inline std::function<void(Semantics&)> replace_use(Op op, MaskUse use) {
  return [=](Semantics& s) { s.use[static_cast<std::size_t>(op)] = use; };
}
inline void zero_masked_off(Semantics& s) {
  s.seams.masked_off_becomes_zero = true;
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
