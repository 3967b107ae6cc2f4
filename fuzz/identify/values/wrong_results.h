// What wrong results have in common if no mistake by name gives them.
#pragma once

#include <string>
#include <vector>

#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

/// "for example 4 instead of 5 from src0 = 1, src1 = 4"
std::string example(const JudgedResult& wrong);

/// Do the wrong results, and few of the documented ones, fit into an f32? And are they as near to the
/// documented ones as rounded numbers leave them, or what an f32 becomes that the type does not hold?
bool have_24_bits(const Instruction& insn, Element type, const std::vector<JudgedResult>& all);

/// ", all of them one unit in the last place closer to zero"; empty if they have nothing in common.
std::string relation_of(Element type, const std::vector<JudgedResult>& wrong);

}  // namespace lanecheck
