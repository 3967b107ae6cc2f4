// The cell of a step: which instruction met which kind of mask, repeat times and strides. A rule says which
// cells it speaks of. A run counts the cells that it reached; the coverage of the rules follows from the
// counts.
#pragma once

#include <cstdint>
#include <string_view>

#include "spec/mask/mask_register.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// What the mask says of the lanes of one repeat. The first class that fits is taken.
enum class MaskClass : std::uint8_t {
  full,         ///< every lane is active
  none,         ///< no lane is active
  block_empty,  ///< some data block (of the wider type) has no active lane
  pair_empty,   ///< some pair of lanes 2k, 2k + 1 has no active lane
  some_off,     ///< some lane is masked off
};
inline constexpr std::string_view kMaskClassNames[] = {"full", "none", "block-empty", "pair-empty",
                                                       "some-off"};

enum class RepeatClass : std::uint8_t { zero, one, two, several, most };  ///< most: 254 and 255
inline constexpr std::string_view kRepeatClassNames[] = {"0", "1", "2", "3..253", "254..255"};

/// canonical: all operands contiguous; zero: some stride is 0; other: gaps or overlapping repeats.
enum class StrideClass : std::uint8_t { canonical, zero, other };
inline constexpr std::string_view kStrideClassNames[] = {"canonical", "zero", "other"};

struct Cell {
  Op op{};
  Element dst_type{}, src_type{};
  MaskClass mask{};
  MaskOrigin origin{};
  RepeatClass repeat{};
  StrideClass stride{};
  MaskFrom from{};
  Mode mode{};             ///< the mode in which the instruction computes
  std::uint8_t variant{};  ///< see variant_of()
  bool tail{};             ///< counter mode: the last repeat is not full
  bool in_place{};         ///< the first source is where dst is
  bool scalar_repeat{};
};

/// The settings that rules tell apart, as one number below 32: the round mode, the comparison, order,
/// 2 * mode + side of vpadding; of gather_mask the pattern (0: the user's), 8 for its counter mode and 16 if
/// its mask argument is not 0.
unsigned variant_of(const Instruction& insn);

/// `here`: what the instruction walks over. `mask`: the register after the mask operand was put into it.
Cell cell_of(const ResolvedInstruction& here, const MaskBits& mask);

/// Cells as numbers. Not every number is the key of a cell.
std::uint64_t key_of(const Cell& cell);
Cell cell_at(std::uint64_t key);

}  // namespace lanecheck
