// Directed cases: what random search meets late, tried once for every instruction that a profile offers. With
// each of its types, round modes and comparisons the instruction meets values at which implementations
// differ; a cast that meets ties does so in every mode of its types, in one program. With one of its types it
// walks with wide strides and many repeats, and meets a mask without a lane or block.
#pragma once

#include <cstdint>

#include "spec/program/instruction.h"

namespace lanecheck {

class Builder;

std::uint64_t directed_cases(Profile profile);

/// Adds the instructions of directed case `index`.
void build_directed_case(Profile profile, std::uint64_t index, Builder& builder);

}  // namespace lanecheck
