// An operand that repeats walk over in data blocks: reading one repeat of it, and writing one repeat back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fuzz/simulator/stored.h"
#include "spec/program/element.h"
#include "spec/program/mask.h"

namespace lanecheck::simulator {

/// The elements of one repeat, in the order of their lanes.
template <class T, std::size_t P>
using Lanes = std::array<Stored<T>, P>;

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Blends two repeats without a branch: for each lane all ones where its slot is 1, else 0. In words, because
/// the width of the elements does not matter to the blending.
template <class T, std::size_t P>
using Gate = std::array<std::uint64_t, P * sizeof(T) / sizeof(std::uint64_t)>;

/// `slots` holds at least P slots of 0 or 1.
template <class T, std::size_t P>
Gate<T, P> gate_of(const std::uint8_t* slots) {
  std::array<BitsOf<T>, P> open;
  for (std::size_t l = 0; l < P; ++l) open[l] = static_cast<BitsOf<T>>(0 - slots[l]);
  return std::bit_cast<Gate<T, P>>(open);
}

/// The bits of `chosen` where `open` has ones, those of `other` elsewhere.
template <std::size_t N>
std::array<std::uint64_t, N> blend(const std::array<std::uint64_t, N>& open,
                                   const std::array<std::uint64_t, N>& chosen,
                                   const std::array<std::uint64_t, N>& other) {
  std::array<std::uint64_t, N> mixed;
  for (std::size_t w = 0; w < N; ++w) mixed[w] = (chosen[w] & open[w]) | (other[w] & ~open[w]);
  return mixed;
}

/// The same for the lanes of a repeat.
template <class T, std::size_t P>
Lanes<T, P> blend(const Gate<T, P>& gate, const Lanes<T, P>& chosen, const Lanes<T, P>& other) {
  return std::bit_cast<Lanes<T, P>>(
      blend(gate, std::bit_cast<Gate<T, P>>(chosen), std::bit_cast<Gate<T, P>>(other)));
}

template <class T>
struct Strided {
  static constexpr std::size_t kPerBlock = kBlockBytes / sizeof(T);

  std::byte* start;
  std::size_t block_step, repeat_step;  ///< bytes

  template <std::size_t P>
  Lanes<T, P> read(unsigned repeat) const {
    Lanes<T, P> lanes;
    const std::byte* at = start + repeat * repeat_step;
    for (std::size_t b = 0; b < P / kPerBlock; ++b)
      std::memcpy(&lanes[b * kPerBlock], at + b * block_step, kBlockBytes);
    return lanes;
  }

  template <std::size_t P>
  void write(unsigned repeat, const Lanes<T, P>& lanes) const {
    std::byte* at = start + repeat * repeat_step;
    for (std::size_t b = 0; b < P / kPerBlock; ++b)
      std::memcpy(at + b * block_step, &lanes[b * kPerBlock], kBlockBytes);
  }

  /// Writeback under the mask: an element whose slot is 0 keeps its old dst (VMC 3.1). Blocks are blended
  /// with what dst holds when their turn comes, so a block stride of 0 lets the last active write stay.
  template <std::size_t P>
  void write(unsigned repeat, const Lanes<T, P>& lanes, const Gate<T, P>& gate) const {
    using Block = std::array<std::uint64_t, kBlockBytes / sizeof(std::uint64_t)>;
    std::byte* at = start + repeat * repeat_step;
    for (std::size_t b = 0; b < P / kPerBlock; ++b, at += block_step) {
      Block open, computed;
      std::memcpy(&open, &gate[b * open.size()], kBlockBytes);
      std::memcpy(&computed, &lanes[b * kPerBlock], kBlockBytes);
      store(at, blend(open, computed, load<Block>(at)));
    }
  }
};

}  // namespace lanecheck::simulator
