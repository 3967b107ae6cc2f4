// The wrong elements of a finding, computed again by the backend in a plain program: one repeat, contiguous
// blocks, a full mask. If they are wrong there too, neither an address nor the mask makes them wrong.
#pragma once

#include "fuzz/explain/suspects.h"
#include "reports/report.h"

namespace lanecheck {

enum class InPlain : std::uint8_t {
  the_same,  ///< the plain program leaves the same wrong values
  right,     ///< it leaves the expected values
  unknown    ///< it leaves other values, or it cannot be made or run
};

/// `before` is the state before the finding's instruction, which has wrong lanes.
InPlain in_plain_program(const Finding& finding, const State& before, AskedBackend& asked,
                         const Documented& documented);

}  // namespace lanecheck
