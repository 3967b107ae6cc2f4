// Which part of a program decides what may stand in some bytes of UB. Most programs that differ do so in a
// few results of one instruction, and the accept sets of the others need not be built.
#pragma once

#include <span>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

struct Slice {
  std::vector<std::uint8_t> instructions;  ///< by place in the program: does it belong to the slice?
  /// By data block of UB: bit w is 1 if word w of the block belongs to the slice. A word has 8 bytes.
  /// Elements are aligned in legal programs, so that each lies in one word.
  std::vector<std::uint8_t> blocks;

  static constexpr unsigned kWordBytes = 8;
  static constexpr std::uint8_t kWholeBlock = (1u << kBlockBytes / kWordBytes) - 1;

  /// Does the word of byte `at` belong to the slice?
  bool has_word_of(std::size_t at) const { return (blocks[at / kBlockBytes] & bit_of(at)) != 0; }
  /// Does a word of the data block of byte `at` belong to it?
  bool has_block_of(std::size_t at) const { return blocks[at / kBlockBytes] != 0; }
  void add_word_of(std::size_t at) { blocks[at / kBlockBytes] |= bit_of(at); }

 private:
  static std::uint8_t bit_of(std::size_t at) {
    return static_cast<std::uint8_t>(1u << at % kBlockBytes / kWordBytes);
  }
};

/// Does an instruction write into the operand of this column?
bool is_written(const OperandColumn& column);

Slice whole_slice(const Program& program);

/// The instructions that may write into the data blocks of `bytes` (offsets in UB), and those that these
/// instructions read from, in turn. All that they read belongs to the slice, and of the rest only the words
/// of `bytes`. An instruction stays inside its allocations: the program must be legal.
Slice slice_behind(const Program& program, std::span<const std::uint32_t> bytes);

}  // namespace lanecheck
