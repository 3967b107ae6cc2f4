// What a sentence about maps says of the program at hand: does it fit?
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Is UB right after instruction `index` of `program`, so that only the mask or its mode differs?
bool only_mask_is_wrong(const Program& program, std::size_t index, AskedBackend& asked,
                        const Documented& documented);

/// Does the sentence not fit the program: an element is written that it says to be unwritten, it speaks of
/// repeats that the program does not have, or of masked-off lanes where it has none?
bool contradicts(const Difference& said, const Program& program, std::size_t index, AskedBackend& asked,
                 const Documented& documented);

/// Does the sentence leave this program as it is documented: by its laws of gates, because it is about a
/// register that the backend shows and that is right before instruction `index`, because it is about bitwise
/// masks and the contiguous one of the program is right as such, or because it is about sources and nothing
/// is wrong but that elements are unwritten? Then it is not why the program is wrong.
bool leaves_right(const Difference& said, const Program& program, std::size_t index, AskedBackend& asked,
                  const Documented& documented);

}  // namespace lanecheck
