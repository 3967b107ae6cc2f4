// Mistakes in how an instruction takes its scalar.
#pragma once

#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// A rounded, cut or truncated scalar. None for an instruction without a scalar.
std::vector<ValueVariant> scalar_variants(const Instruction& insn);

}  // namespace lanecheck
