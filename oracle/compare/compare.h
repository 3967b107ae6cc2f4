// Comparison of whole states: every byte of UB, and the mask where it is shown.
#pragma once

#include "oracle/compare/accept.h"

namespace lanecheck {

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;         ///< the mask or its mode differs
  std::vector<std::uint32_t> bytes;  ///< offsets in UB where `actual` holds what it must not, ascending
};

/// Is `actual` the expected state to the last bit? Cheap.
bool identical(const State& expected, const State& actual, Shown shown);

/// Does `actual` agree with what the documents allow? Runs `program` under `semantics` again and asks the
/// accept sets.
Comparison compare(const Program& program, const Semantics& semantics, const State& actual, Shown shown);

}  // namespace lanecheck
