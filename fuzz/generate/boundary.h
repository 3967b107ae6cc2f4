// The boundary tables: mask words, repeat times and strides at their edges, and the programs that cross them.
#pragma once

#include <array>
#include <cstdint>

#include "spec/mask/mask_register.h"

namespace lanecheck {

class Builder;

// No lane, all lanes, the first, the last, one block of each width, all but one block, stripes, halves, and
// words of which only one is used.
inline constexpr std::array kMaskTable = {
    MaskWords{0, 0},
    MaskWords{kOnes, kOnes},
    MaskWords{0, 1},
    MaskWords{std::uint64_t{1} << 63, 0},
    MaskWords{0, 0xff},
    MaskWords{0, 0xffff},
    MaskWords{kOnes, ~std::uint64_t{0xffff}},
    MaskWords{0, kOnes},
    MaskWords{kOnes, 0},
    MaskWords{0x5555555555555555, 0x5555555555555555},
    MaskWords{0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    MaskWords{0, std::uint64_t{1} << 63},
    MaskWords{kOnes, kOnes - 1},
    MaskWords{kOnes >> 1, kOnes},
    MaskWords{1, 0},
    MaskWords{0xcccccccccccccccc, 0x3333333333333333},
};

/// Of one operand, in data blocks.
struct Stride {
  std::uint32_t block, repeat;
};
/// One for each operand.
using Strides = std::array<Stride, kMaxOperands>;
inline constexpr std::uint32_t kContiguous =
    ~std::uint32_t{0};  // a repeat stride: the repeats follow each other
inline constexpr Stride kInARow = {1, kContiguous};
inline constexpr Strides kContiguousStrides = {kInARow, kInARow, kInARow, kInARow};
inline constexpr std::array kStrideTable = {
    kContiguousStrides,
    Strides{kInARow, {0, kContiguous}, {0, kContiguous}, kInARow},
    Strides{kInARow, {1, 0}, {1, 0}, kInARow},
    Strides{Stride{1, 0}, kInARow, kInARow, kInARow},
    Strides{Stride{2, 16}, kInARow, kInARow, {2, kContiguous}},
    Strides{Stride{1, 9}, {3, 1}, {3, 1}, {1, 9}},
    Strides{Stride{0, 1}, {1, 1}, {1, 1}, {1, 2}},
    Strides{kInARow, {2, 24}, {1, 9}, {2, 24}},
    Strides{kInARow, {1, 0}, {0, 8}, {1, 16}},
};
inline constexpr std::array<std::uint32_t, 4> kRepeatTable = {1, 0, 2, 3};
/// Contiguous strides at 254 repeats would make operands of 64 KiB: these meet the strides of kOnTheSpot
/// alone.
inline constexpr std::array<std::uint32_t, 2> kLongRepeatTable = {254, 255};
inline constexpr std::array kOnTheSpot = {
    Strides{Stride{1, 0}, {1, 1}, {1, 1}, {1, 0}},
    Strides{Stride{1, 1}, {1, 1}, {1, 0}, {1, 1}},
};

/// A permutation of 0 .. count - 1. Its step is the golden section of `count`, so that neighbours in the new
/// order lie far from each other in the old one, at every scale.
std::uint64_t scrambled(std::uint64_t n, std::uint64_t count);

/// Is `row` on offer in `profile`, and does it do more than set the mask?
bool computes(const Row& row, Profile profile);

/// How many rows the product of the tables has.
std::uint64_t boundary_rows(Profile profile);

/// Adds the instruction of row `index` of the product, with the mask that it meets.
void build_boundary(Profile profile, std::uint64_t index, Builder& builder);

}  // namespace lanecheck
