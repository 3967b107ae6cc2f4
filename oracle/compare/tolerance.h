// The accept sets of single elements, and the tolerance of the instructions that approximate (asc-devkit
// pages of Exp, Ln, Sqrt, Reciprocal, Rsqrt).
#pragma once

#include "oracle/compare/accept.h"

namespace lanecheck {

inline Accept unspecified(Element type) {
  return {.kind = Accept::Kind::unspecified, .type = type};
}
inline Accept any_nan(Element type) {
  return {.kind = Accept::Kind::any_nan, .type = type};
}
inline Accept within(Element type, std::uint64_t bits, std::uint32_t ulp) {
  return {.kind = Accept::Kind::within_ulp, .type = type, .bits = bits, .ulp = ulp};
}

/// What may stand where an instruction has no finite result for its sources, and the oracle leaves `bits`.
Accept outside_domain(Element type, std::uint64_t bits, const Readings& readings);

/// What may stand where exp, ln, sqrt, rec or rsqrt puts its result for `x`, and the oracle leaves `bits`.
Accept approximate(const Instruction& insn, double x, std::uint64_t bits, const Readings& readings);

}  // namespace lanecheck
