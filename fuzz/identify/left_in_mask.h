// What an instruction leaves in the mask register although the documents say that it leaves the mask as it is
// (profile vmc, backends that show the register).
#pragma once

#include <optional>
#include <string>

#include "fuzz/probes/probe.h"

namespace lanecheck {

/// "compare.i32 puts the bits of its last repeat's results into slots 0..63 of the mask register". Asks for
/// the subject with two repeats on drawn data under several masks. Nothing if the register is as documented
/// each time, or if the backend does not answer.
std::optional<std::string> left_in_mask(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
