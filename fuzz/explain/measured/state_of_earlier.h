// Tells whether an earlier instruction of the program leaves another mask or mode than it should, where the
// backend does not show its mask: the instruction that then runs under it is not to blame.
#pragma once

#include <optional>

#include "fuzz/explain/measured/measured_cause.h"

namespace lanecheck {

/// `part`: a program whose last instruction is wrong in it, and right alone. The cause in the last earlier
/// instruction that is measured to leave a wrong mask or mode: those that set it are asked first. Nothing if
/// none is.
std::optional<MeasuredCause> state_of_earlier(const Program& part, AskedBackend& asked,
                                              const Documented& documented);

}  // namespace lanecheck
