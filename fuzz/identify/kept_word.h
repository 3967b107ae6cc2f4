// A contiguous mask that leaves a word of the register as it was: with a full register before it looks as if
// the word became all ones.
#pragma once

#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Says "leaves the high word of the mask as it was" in place of "makes the high word of the mask all ones",
/// if that gives what the backend leaves after another mask.
void say_if_word_is_kept(const Subject& subject, MaskGiven given, std::vector<Difference>& differences,
                         const Ask& ask);

/// Does the sentence say what any register before does to the mask, and not only a full one?
bool says_kept_word(const Difference& difference);

}  // namespace lanecheck
