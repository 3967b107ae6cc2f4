// Which value of its own makes an instruction take a field of an earlier one: a scalar of 0 may count as not
// given.
#pragma once

#include "fuzz/explain/asked_backend.h"
#include "fuzz/explain/carried_fields.h"
#include "fuzz/explain/suspects.h"

namespace lanecheck {

/// ", if its own is 0 (not if it is 5)", if the backend is right with another value in the last instruction
/// of `part`, though a value carried from instruction `at` would show. Else empty.
std::string carried_condition(const Program& part, std::size_t at, const CarriedField& field,
                              AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
