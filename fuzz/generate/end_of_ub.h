// Lets an operand end where UB ends: no guard bytes lie behind it.
#pragma once

#include "spec/program/program.h"

namespace lanecheck {

/// Moves the allocation of the last instruction's dst to the end of UB. Its old place becomes guard bytes.
void end_with_dst(Program& program);

/// Takes away what lies behind the last allocation.
void end_with_last_allocation(Program& program);

}  // namespace lanecheck
