// From the element type of an instruction to code for that type: once for an instruction, never for a lane.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "spec/program/element.h"

namespace lanecheck::simulator {

template <class... Ts>
struct Types {};

using Floats = Types<Half, float>;
using SignedNumbers = Types<Half, float, std::int8_t, std::int16_t, std::int32_t>;
using Arithmetic = Types<Half, float, std::int8_t, std::uint8_t, std::int16_t, std::int32_t>;
using Logic = Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>;
using Numeric = Types<Half, float, std::int16_t, std::int32_t>;

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, Half>) return Element::f16;
  if constexpr (std::is_same_v<T, BFloat16>) return Element::bf16;
  if constexpr (std::is_same_v<T, float>) return Element::f32;
  if constexpr (std::is_same_v<T, std::int8_t>) return Element::i8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Element::u8;
  if constexpr (std::is_same_v<T, std::int16_t>) return Element::i16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Element::u16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Element::i32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Element::u32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Element::i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Element::u64;
}

/// Calls `f` with a value of the C++ type behind `type`, which has to be in the list.
template <class... Ts, class F>
void with_type_in(Types<Ts...>, Element type, F&& f) {
  const bool called = ((type == element_of<Ts>() && (f(Ts{}), true)) || ...);
  if (!called) throw std::logic_error("the example simulator does not compute in this element type");
}

/// For instructions that only move elements: calls `f` with an unsigned integer as wide as `type`.
template <class F>
void with_bits_of(Element type, F&& f) {
  switch (size_of(type)) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    case 8:
      return f(std::uint64_t{});
    default:
      throw std::logic_error("an element has 1, 2, 4 or 8 bytes");
  }
}

}  // namespace lanecheck::simulator
