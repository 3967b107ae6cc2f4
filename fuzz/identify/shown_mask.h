// What set_mask does to the mask register, as a backend shows it (VMC). A wrong register makes the gates of
// every instruction look wrong, so it is named before them.
#pragma once

#include "fuzz/identify/probe.h"

namespace lanecheck {

/// Does a measured gate map show another mask register than the documented one?
bool shows_another_mask(const GateMap& measured, const GateMap& documented);

/// Why it does: asks for set_mask alone and after another set_mask. If set_mask alone is as documented, the
/// instruction of `subject` changes the register.
std::vector<Difference> shown_mask_differences(const Subject& subject, const GateMap& measured,
                                               const GateMap& documented, const Ask& ask);

}  // namespace lanecheck
