// The wrong elements of a finding, computed again by the backend from the same values in a plain program: one
// repeat, contiguous blocks, a full mask, a dst that is no source. If they are wrong there too, neither an
// address nor the mask makes them wrong.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

enum class InPlain : std::uint8_t {
  the_same,  ///< the plain program leaves the same wrong values
  right,     ///< it leaves the expected values
  unknown    ///< it leaves other wrong values, or the same values are allowed there, or it cannot be run
};

/// `before` is the state before the finding's instruction, which has wrong lanes.
InPlain in_plain_program(const Finding& finding, const State& before, AskedBackend& asked,
                         const Documented& documented);

/// Drops rules about the way from one repeat to the next (VMC-1-no-advance) from the finding if each wrong
/// repeat breaks them also as the only repeat: then it is not the next repeat that makes it wrong.
void drop_rules_of_several_repeats(Finding& finding, const State& before, AskedBackend& asked);

}  // namespace lanecheck
