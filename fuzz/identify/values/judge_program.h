// The results that a program leaves, beside the documented ones.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_conditions.h"
#include "spec/program/state.h"

namespace lanecheck {

/// Adds the results of the last instruction, whose operands lie in a row: elements of dst, or of a comparison
/// its bits.
void judge_program(const Program& program, const State& actual, std::vector<JudgedResult>& results);

}  // namespace lanecheck
