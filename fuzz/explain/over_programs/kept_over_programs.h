// Tells what a backend keeps from an instruction of an earlier program, if it is wrong about a program only
// after that one: a stride, a scalar, a mode.
#pragma once

#include <optional>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/ask_again.h"
#include "reports/report.h"

namespace lanecheck {

/// The field that the diverging instruction of `finding`, a state-dependent one, takes from the last
/// instruction of the program before. What it gives is all that the backend leaves, also with another value
/// in the earlier program if that is legal and stays in UB. Nothing if no field does, or if where it leads is
/// not in UB.
std::optional<CarriedField> kept_over_programs(const Finding& finding, AskAgain& ask);

}  // namespace lanecheck
