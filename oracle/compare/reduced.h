// The accept set of one result of a reduction of floats.
#pragma once

#include <optional>
#include <span>

#include "oracle/compare/accept.h"

namespace lanecheck {

/// What may stand where `insn` (a sum, a minimum or a maximum) puts one result, of which the oracle's is
/// `bits`. `values`: the elements that it is made of, with 0 for those that are masked off. Nothing if the
/// oracle's bits alone may stand there.
std::optional<Accept> reduced(const Instruction& insn, std::span<const double> values, std::uint64_t bits,
                              SumOrder order);

}  // namespace lanecheck
