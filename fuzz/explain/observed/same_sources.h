// An instruction that is wrong only if both of its sources start at the same place.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// "if src0 and src1 start at the same place, src1 of add.f16 walks with the strides of src0": if the backend
/// is right with src1 in an allocation of its own. If no law gives what it leaves, what is right is said
/// alone. Nothing if the sources do not start at one place, or if that is not the cause.
std::optional<std::string> same_sources(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented);

}  // namespace lanecheck
