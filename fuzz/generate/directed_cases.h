// Directed cases: what random search meets late, tried once for every instruction that a profile offers, in
// few programs of several instructions each. With each of its types, round modes and comparisons the
// instruction meets values and scalars at which implementations differ. With one of its types it walks with
// strides and repeat times at the ends of their range, in place, over totals and lengths beside whole
// repeats, and meets a mask without a lane or block.
#pragma once

#include <cstdint>

#include "spec/program/instruction.h"

namespace lanecheck {

class Builder;

std::uint64_t directed_cases(Profile profile);

/// Adds the instructions of directed case `index`.
void build_directed_case(Profile profile, std::uint64_t index, Builder& builder);

}  // namespace lanecheck
