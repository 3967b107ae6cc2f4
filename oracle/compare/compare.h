// Comparison of whole states: every byte of UB, and the mask where it is shown.
#pragma once

#include "oracle/compare/accept.h"

namespace lanecheck {

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;         ///< the mask, or its mode
  std::vector<std::uint32_t> bytes;  ///< offsets in UB where `actual` holds what it must not, ascending
};

/// The cheap answer to "is it the oracle's state to the last bit?".
bool identical(const State& expected, const State& actual, Shown shown);

/// The whole answer: runs `program` under `how` again and lets the accept sets speak.
Comparison compare(const Program& program, const Semantics& semantics, const State& actual, Shown shown);

}  // namespace lanecheck
