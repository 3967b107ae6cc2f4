// The steps by which minimization makes a program smaller: fewer instructions, fewer repeats, contiguous
// strides, fewer masked-off slots, simpler data, less UB.
#pragma once

#include <functional>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

/// One step towards a smaller program. Every step strictly lowers a measure, so every chain of steps ends.
using Move = std::function<void(Program&)>;

/// All steps that lead from `program`, the largest first. Some lead to an illegal program.
std::vector<Move> moves_of(const Program& program);

}  // namespace lanecheck
