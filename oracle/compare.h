// Comparison of whole states: every byte of UB, and the mask where it is shown.
#pragma once

#include "oracle/accept.h"

namespace lanecheck {

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;
  std::vector<std::uint32_t> bytes;  ///< offsets in UB where `actual` holds what it must not, ascending
};

/// The cheap answer to "is it the oracle's state to the last bit?".
bool identical(const State& expected, const State& actual, bool shows_mask);

/// The whole answer: runs `program` under `how` again and lets the accept sets speak.
Comparison compare(const Program& program, const Semantics& how, const State& actual, bool shows_mask);

}  // namespace lanecheck
