// Which bytes of UB an instruction writes, whatever values it writes there.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

inline std::uint64_t load_bits(std::span<const std::byte> ub, std::size_t at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &ub[at], size);
  return bits;
}

/// By offset in UB. `insn` is executed on `before`, under its mask, and is one of `program` or like one.
std::vector<bool> written_bytes(const Program& program, const Instruction& insn, const Semantics& semantics,
                                const State& before);

}  // namespace lanecheck
