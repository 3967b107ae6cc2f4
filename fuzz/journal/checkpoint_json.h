// A checkpoint as JSON text, and back.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/run/tally.h"

namespace lanecheck {

std::string checkpoint_text(const Checkpoint& checkpoint);

/// Throws InputError, which names `where`, if the text is not a whole checkpoint of this version.
Checkpoint read_checkpoint(std::string_view text, Profile profile, const std::string& where);

}  // namespace lanecheck
