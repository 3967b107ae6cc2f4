// The cell of a step: which instruction met which kind of mask, repeat times and strides. Rules say which
// cells they speak of; the generator counts the cells it reached, so coverage of the rules follows from the
// counts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "spec/instruction.h"
#include "spec/mask.h"

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

/// Who made the mask: the start of the program, set_mask or reset_mask.
enum class MaskOrigin : std::uint8_t { initial, set, reset };
inline constexpr std::string_view kMaskOriginNames[] = {"initial", "set", "reset"};

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
};

/// The 256 slots as bits, slot i is bit i mod 64 of word i / 64: what the mask of a documented program is,
/// cheap to follow and to classify.
struct MaskBits {
  std::array<std::uint64_t, 4> words{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0},
                                     ~std::uint64_t{0}};
  MaskOrigin origin = MaskOrigin::initial;

  void apply(const Instruction& i);
};
MaskBits bits_of(const Mask& mask, MaskOrigin origin);

/// `mask` as it is before the instruction.
Cell cell_of(const Instruction& i, const MaskBits& mask);

/// Cells are numbered 0 .. kCells - 1.
inline constexpr std::size_t kTypePairsPerRow = 24;  ///< at least as many as any row offers
inline constexpr std::size_t kCellsPerRow = kTypePairsPerRow * 5 * 3 * 5 * 3;
std::size_t cell_count();
std::size_t index_of(const Cell& cell);
Cell cell_at(std::size_t index);

}  // namespace lanecheck
