// The cell of a step: which instruction met which kind of mask, repeat times and strides. Rules say which
// cells they speak of; the generator counts the cells it reached, so coverage of the rules follows from the
// counts.
#pragma once

#include <cstdint>
#include <string_view>

#include "spec/mask/mask_register.h"
#include "spec/program/instruction.h"

namespace lanecheck {

/// What the mask says of the lanes of one repeat. The first that fits.
enum class MaskClass : std::uint8_t {
  full,         ///< every lane is active
  none,         ///< no lane is active
  block_empty,  ///< some data block (of the wider type) has no active lane
  pair_empty,   ///< some pair of lanes 2k, 2k + 1 has none
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
  Mode mode{};             ///< in which the instruction computes
  std::uint8_t variant{};  ///< see variant_of()
  bool tail{};             ///< counter mode: the last repeat is not full
  bool in_place{};         ///< the first source is where dst is
  bool scalar_repeat{};
};

/// The settings that rules tell apart, as one number below 32: the round mode, the comparison, the pattern of
/// gather_mask (0: the user's) and 8 for its counter mode, order, 2 * mode + side of vpadding.
unsigned variant_of(const Instruction& insn);

/// `here`: what the instruction walks over. `mask` after MaskBits::load().
Cell cell_of(const ResolvedInstruction& here, const MaskBits& mask);

/// Cells as numbers, in no dense order.
std::uint64_t key_of(const Cell& cell);
Cell cell_at(std::uint64_t key);

}  // namespace lanecheck
