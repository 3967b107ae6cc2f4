// Which value of its own makes an instruction take a field of an earlier one: a scalar of 0 may count as not
// given.
#pragma once

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// ", if its own is 0 (not if it is 5)", if the backend is right with another value in the last instruction
/// of `part`, though a value carried from instruction `at` would show. Else empty.
std::string carried_condition(const Program& part, std::size_t at, const CarriedField& field,
                              AskedBackend& asked, const Documented& documented);

/// In which case the mask of before an instruction is used: always, or if it has this word in common with the
/// mask of behind it.
enum class SameWord : std::uint8_t { none, low, high };

/// "low", "high"; not for none
std::string_view name_of(SameWord same);
/// ", if the low word stays the same"; empty: always
std::string condition_text(SameWord same);

}  // namespace lanecheck
