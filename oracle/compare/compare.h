// Comparison of whole states: every byte of UB, and the mask where it is shown.
#pragma once

#include "oracle/compare/accept.h"

namespace lanecheck {

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;  ///< the mask or its mode differs
  std::vector<std::uint32_t>
      bytes;  ///< ascending offsets in UB of the bytes of `actual` that are not allowed
};

/// Is `actual` the expected state to the last bit? This is cheap.
bool identical(const State& expected, const State& actual, Shown shown);

/// Are two states the same if each NaN counts as the same value? No document says which sign and payload a
/// NaN has, so they may change from one answer to the next. NaNs are found by the types of the allocations.
bool identical_but_for_nans(const Program& program, const State& one, State other, Shown shown);

/// The state that a backend left, with the mask and the mode of `expected` where it does not show its own.
State as_shown(State actual, const State& expected, Shown shown);

/// Do the parts of the mask state differ that are shown?
bool mask_differs(const State& expected, const State& actual, Shown shown);

/// Does `actual` agree with what the documents allow? Runs `program` under `semantics`, and asks the accept
/// sets where `actual` differs.
Comparison compare(const Program& program, const Semantics& semantics, const State& actual, Shown shown);
/// compare(...).agrees, sooner where `actual` differs.
bool agrees(const Program& program, const Semantics& semantics, const State& actual, Shown shown);
/// Both for a caller that knows what `program` leaves under `semantics`.
bool agrees(const Program& program, const Semantics& semantics, const State& expected, const State& actual,
            Shown shown);
Comparison compare(const Program& program, const Semantics& semantics, const State& expected,
                   const State& actual, Shown shown);

}  // namespace lanecheck
