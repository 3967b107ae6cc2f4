// Which part of a program decides what may stand in some data blocks of UB. Most programs that differ do so
// in one instruction's results, and the accept sets of the others need not be built.
#pragma once

#include <span>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

struct Slice {
  std::vector<std::uint8_t> instructions;  ///< by place in the program: does it belong to the slice?
  std::vector<std::uint8_t> blocks;        ///< by data block of UB

  /// Does the data block of byte `at` belong to the slice?
  bool has_block_of(std::size_t at) const { return blocks[at / kBlockBytes] != 0; }
};

Slice whole_slice(const Program& program);

/// The instructions that may write into the data blocks at `starts` (bytes of UB), and those that these
/// instructions read from, in turn. An instruction stays inside its allocations: the program must be legal.
Slice slice_behind(const Program& program, std::span<const std::uint32_t> starts);

}  // namespace lanecheck
