// What set_mask does to the mask register, as a backend shows it (VMC). A wrong register makes the gates of
// every instruction look wrong, so it is named before them.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Why a backend shows another mask register than documented after set_mask and the instruction: asks for
/// set_mask alone and after another set_mask. If set_mask alone is as documented, the instruction of
/// `subject` changes the register.
std::vector<Difference> shown_mask_differences(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
