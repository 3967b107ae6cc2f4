// Data for generated programs.
//
// Decisive data makes every lane count: a result equals neither its old dst nor its neighbour's result, and
// sums are exact in any order. It works by residues: `positive` has even and odd numbers in turn, none with
// bit 1 set; `negative` has odd numbers that alternate in bit 1; `old` lies in a band that no result reaches
// (halves between 64 and 127 for floats, a high band for integers). Sources are at most 13 in magnitude
// (8-bit: 9 and 3), so 128 of them add up below 2048 and every product and sum is exact even in f16.
//
// Wild data is for arithmetic: NaN, infinities, subnormals, both zeros, limits, ties, random bits. `limit` is
// one extreme value in all elements: it tells the neutral element of a reduction from its neighbours.
#pragma once

#include <cstddef>
#include <span>

#include "spec/program/element.h"

namespace lanecheck {

enum class Fill : std::uint8_t { positive, negative, below, above, old, wild, limit, random };
inline constexpr std::size_t kFills = 8;

/// Copies decisive or other data of `type` over `into` (whole blocks). `phase` picks the window, 0..63.
void fill(std::span<std::byte> into, Element type, Fill kind, unsigned phase);

}  // namespace lanecheck
