// Whether a field of an earlier instruction is taken only by instructions that are given a count, or only by
// those that are not.
#pragma once

#include <string>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// ", with a count of its own", ", in counter mode", or ", not with a count of its own", if the backend is
/// right about the last instruction of `part` in the other form, though the field of instruction `at` would
/// show. Else empty.
std::string count_needed(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                         const Documented& documented);

}  // namespace lanecheck
