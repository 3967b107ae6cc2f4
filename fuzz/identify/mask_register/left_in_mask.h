// What an instruction leaves in the mask register although the documents say that it leaves the mask as it is
// (profile vmc, backends that show the register).
#pragma once

#include <optional>
#include <string>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "cadd.f16 leaves all slots of the mask at 1 if no lane is active". Asks for the subject with several
/// repeat times on drawn data under many masks, and in place where that is legal. Nothing if the register is
/// as documented each time, or if the backend does not answer. `allowed`: said behind "leaves all
/// slots of the mask at 1", which a reading allows.
std::optional<std::string> left_in_mask(const Subject& subject, const Ask& ask,
                                        const std::string& allowed = {});

/// "slots 1..2 of the mask are 1 and slot 5 of the mask is 0": the slots that are not as documented.
/// `of_mask`: " of the mask", or nothing.
std::string wrong_slots_text(const Mask& actual, const Mask& documented, const std::string& of_mask);

}  // namespace lanecheck
