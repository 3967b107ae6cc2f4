// Packed bits (set_mask, control of select, result of compare) to and from slots of one byte, 0 or 1, eight
// at a time. Bit 0 belongs to the first slot.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "spec/program/element.h"

namespace lanecheck::simulator {

static_assert(std::endian::native == std::endian::little);

/// Eight slots from a byte: put bit k alone into byte k, carry it to the top of its byte, move it down.
inline std::uint64_t slots_of(std::uint8_t bits) {
  const std::uint64_t alone = bits * 0x0101010101010101u & 0x8040201008040201u;
  return (alone + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

/// The byte of eight slots: the product moves slot k to bit 56 + k.
inline std::uint8_t bits_of_slots(std::uint64_t slots) {
  return static_cast<std::uint8_t>(slots * 0x0102040810204080u >> 56);
}

template <std::size_t P>
std::array<std::uint8_t, P> unpack(const std::byte* bits) {
  std::array<std::uint8_t, P> slots;
  for (unsigned k = 0; k < P / 8; ++k)
    store(reinterpret_cast<std::byte*>(&slots[8 * k]), slots_of(load<std::uint8_t>(bits + k)));
  return slots;
}

template <std::size_t P>
void pack(const std::array<std::uint8_t, P>& slots, std::byte* bits) {
  for (unsigned k = 0; k < P / 8; ++k)
    store(bits + k, bits_of_slots(load<std::uint64_t>(reinterpret_cast<const std::byte*>(&slots[8 * k]))));
}

}  // namespace lanecheck::simulator
