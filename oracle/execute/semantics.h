// What the documents say and, where they leave a choice, what a set of readings chooses.
#pragma once

#include <array>

#include "oracle/execute/seams.h"

namespace lanecheck {

/// What a reduction writes for a result whose lanes are all off.
enum class EmptyResult : std::uint8_t { keeps_dst, writes };

/// Does select_bits load the compare mask from its control?
inline bool loads_compare_mask(const Instruction& insn, const Readings& readings) {
  return insn.repeat != 0 || readings.idle_select_bits == IdleSelectBits::loads;
}

struct Semantics {
  Semantics();  ///< all readings at their default
  explicit Semantics(const Readings& chosen);

  Readings readings;
  Mask initial_mask = kFullMask;        // VMC 1
  std::array<MaskUse, kOps> use;        // VMC 3, 4: the instruction table, and the readings
  std::array<Neutral, kOps> neutral;    // VMC 3.2, 3.3: the instruction table
  std::array<EmptyResult, kOps> empty;  // VMC 3.2, 3.3: the readings
  Seams seams;                          ///< what mutants replace; the default is documented

  bool departs_in_arithmetic = false;  ///< is some reading of arithmetic not at its default?
};

}  // namespace lanecheck
