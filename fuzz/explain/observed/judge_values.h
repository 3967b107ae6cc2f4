// What wrong values in the elements of dst prove, if no mistake and no measured law names them.
#pragma once

#include <optional>

#include "fuzz/explain/observed/observation.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// What the lanes show. A wrong value may be the old one by chance, so the backend is asked again with other
/// bytes in dst, and behind the operands, where it may read. If it shows something else there, that counts.
/// If it is right there, the old value was there by chance.
Observation observe_twice(const Finding& finding, AskedBackend& asked, const Documented& documented);

/// Only values are wrong: is it the mask, an address, or arithmetic? Says what the backend's answers prove.
/// `relation`: whether the relation to the backend's own unmasked run holds; empty if that is not
/// known. `before`: the state before the instruction.
void judge_values(Finding& finding, Observation& seen, std::optional<bool> relation, const State& before,
                  AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
