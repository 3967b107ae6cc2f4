// Comparison of whole states: every byte of UB, and the mask where it is shown.
#pragma once

#include "oracle/accept.h"

namespace lanecheck {

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;         ///< the mask, or its mode
  std::vector<std::uint32_t> bytes;  ///< offsets in UB where `actual` holds what it must not, ascending
};

/// What of a state an implementation lets see beside UB.
struct Shown {
  bool mask = true, mode = true;

  Shown(bool both) : mask(both), mode(both) {}  // NOLINT: most show both or neither
  Shown(bool shows_mask, bool shows_mode) : mask(shows_mask), mode(shows_mode) {}
};

/// The cheap answer to "is it the oracle's state to the last bit?".
bool identical(const State& expected, const State& actual, Shown shown);

/// The whole answer: runs `program` under `how` again and lets the accept sets speak.
Comparison compare(const Program& program, const Semantics& how, const State& actual, Shown shown);

}  // namespace lanecheck
