// A backend that is wrong where nothing lies behind an operand: UB ends there, or its allocation does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// The id of such a finding. When it is seen hangs on where its allocations lie, which other variations
/// change.
inline constexpr std::string_view kAtEndOfUb = "measured-end-of-ub";

/// Does the allocation end where UB ends, so that no guard bytes lie behind it?
bool ends_with_ub(const Program& program, const Allocation& allocation);

/// "add.f16 is wrong if its dst ends where UB ends; with a data block of UB behind it, it is right": of the
/// last instruction of `part`, which diverges. Nothing if no operand of it ends there, or if it stays wrong.
std::optional<std::string> wrong_at_end_of_ub(const Program& part, AskedBackend& asked,
                                              const Documented& documented);

/// "add.i8 is wrong if the allocation of src0 ends where src0 ends; with more room in it, it is right".
/// Nothing if it stays wrong, or if it is right as soon as the allocation lies elsewhere.
std::optional<std::string> wrong_at_end_of_allocation(const Program& part, AskedBackend& asked,
                                                      const Documented& documented);

}  // namespace lanecheck
