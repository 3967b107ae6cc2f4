// One element of an operand of the last instruction of a program whose operands lie in a row.
#pragma once

#include <cstring>
#include <span>

#include "spec/program/program.h"

namespace lanecheck {

/// The bits of element `n` of operand `k` in `ub`.
inline std::uint64_t element_bits(std::span<const std::byte> ub, const Program& program, unsigned k,
                                  Element type, std::size_t n) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &ub[start_of(program, program.instructions.back().operands[k]) + n * size_of(type)],
              size_of(type));
  return bits;
}

/// Puts the lowest bits of `bits` there.
inline void put_element_bits(std::span<std::byte> ub, const Program& program, unsigned k, Element type,
                             std::size_t n, std::uint64_t bits) {
  std::memcpy(&ub[start_of(program, program.instructions.back().operands[k]) + n * size_of(type)], &bits,
              size_of(type));
}

}  // namespace lanecheck
