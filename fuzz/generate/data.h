// Data for generated programs.
//
// Decisive data makes every lane count: a result equals neither its old dst nor its neighbour's result, and
// sums are exact in any order. It works by residues: `positive` has even and odd numbers in turn, none with
// bit 1 set; `negative` has odd numbers that alternate in bit 1; `old` lies in a band that no result reaches
// (halves between 64 and 127 for floats, a high band for integers), with either sign. Sources are at most 13
// in magnitude (8-bit: 9 and 3), so 128 of them add up below 2048 and every product and sum is exact even in
// f16.
//
// Wild data is for arithmetic: NaN, infinities, subnormals, both zeros, limits, ties, random bits; `finite`
// is wild without NaN and infinity. `close` is the wild data of the same phase, or just beside it. `extremes`
// are the ends of the type and the values next to zero, in any order, or one for each block or repeat: this
// tells the neutral element of a reduction from its neighbours. `limit` is one of them in all elements.
// `peaks` are small numbers, and every 129 elements one large and one very small one, so that they come to
// each lane in turn; `rising` and `falling` number the lanes of a repeat.
#pragma once

#include <cstddef>
#include <span>

#include "spec/program/element.h"

namespace lanecheck {

enum class Fill : std::uint8_t {
  positive,
  negative,
  below,
  above,
  old,
  wild,
  finite,
  close,
  extremes,
  extremes_by_block,
  extremes_by_repeat,
  peaks,
  rising,
  falling,
  limit,
  random
};
inline constexpr std::size_t kFills = 16;

/// Copies decisive or other data of `type` over `into` (whole blocks). `phase` picks the window, 0..63.
void fill(std::span<std::byte> into, Element type, Fill kind, unsigned phase);

/// Wild data in which every second element is `value`, or one step beside it, or has the other sign: for a
/// comparison with a scalar.
void fill_near(std::span<std::byte> into, Element type, std::uint64_t value, unsigned phase);

/// Extreme value `pick` of `type`, one of kExtremes.
std::uint64_t extreme(Element type, std::uint64_t pick);
inline constexpr std::size_t kExtremes = 16;

/// Element `n` of the wild data.
std::uint64_t wild_element(Element type, std::size_t n);

}  // namespace lanecheck
