// The data blocks of UB in which a lenient element can decide whether a state is allowed: those in which the
// state differs from the oracle's, and those that an instruction may read when they hold lenient elements.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

/// The first operand of `insn` that it reads.
unsigned first_source(const Instruction& insn);

class DecidingBlocks {
 public:
  /// `differing` has 1 for each data block that differs, else 0. If it is empty, every block decides. Else
  /// `program` must be legal: its operands do not leave their allocations.
  DecidingBlocks(const Program& program, std::vector<std::uint8_t> differing);

  /// Is one of the `bytes` bytes from `at` on in a deciding block?
  bool have(std::size_t at, std::size_t bytes) const;
  /// Adds the blocks of these bytes.
  void add(std::size_t at, std::size_t bytes);

 private:
  std::vector<std::uint8_t> decides_;  ///< by data block; empty: all do
};

}  // namespace lanecheck
