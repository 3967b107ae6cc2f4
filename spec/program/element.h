// The element types of the vector unit, and how to get from a type's name to code for that type.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace lanecheck {

/// An f16 as it is stored. What it is worth as a float: spec/text/half_float.h.
struct Half {
  std::uint16_t bits;

  bool operator==(const Half&) const = default;
};

/// A bf16 as it is stored.
struct BFloat16 {
  std::uint16_t bits;

  bool operator==(const BFloat16&) const = default;
};

enum class Element : std::uint8_t { f16, bf16, f32, i8, u8, i16, u16, i32, u32, i64, u64 };

inline constexpr std::array kElements = {Element::f16, Element::bf16, Element::f32, Element::i8,
                                         Element::u8,  Element::i16,  Element::u16, Element::i32,
                                         Element::u32, Element::i64,  Element::u64};

inline constexpr unsigned kBlockBytes = 32;    ///< one data block
inline constexpr unsigned kRepeatBlocks = 8;   ///< data blocks in one repeat
inline constexpr unsigned kRepeatBytes = 256;  ///< what one repeat operates on

/// `bytes`, rounded up to whole data blocks.
template <std::unsigned_integral Bytes>
constexpr Bytes in_whole_blocks(Bytes bytes) {
  return static_cast<Bytes>((bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
}

// By type. Inside the functions they would be put on the stack in each call.
inline constexpr std::uint8_t kElementBytes[] = {2, 2, 4, 1, 1, 2, 2, 4, 4, 8, 8};
inline constexpr std::uint8_t kElementsOfBlock[] = {16, 16, 8, 32, 32, 16, 16, 8, 8, 4, 4};

/// Bytes of one element: 1, 2, 4 or 8.
constexpr unsigned size_of(Element type) {
  return kElementBytes[static_cast<unsigned>(type)];
}

/// An element with all bits on.
constexpr std::uint64_t all_bits(Element type) {
  return ~std::uint64_t{0} >> (64 - 8 * size_of(type));
}

/// Elements in one data block: 32, 16, 8 or 4.
constexpr unsigned per_block(Element type) {
  return kElementsOfBlock[static_cast<unsigned>(type)];
}

/// Are these the bits of a NaN? False for integers.
constexpr bool is_nan(Element type, std::uint64_t bits) {
  if (type == Element::f32) return (bits & 0x7fffffff) > 0x7f800000;
  if (type == Element::f16) return (bits & 0x7fff) > 0x7c00;
  return type == Element::bf16 && (bits & 0x7fff) > 0x7f80;
}

/// The same bits, or both NaN: the documents say of no NaN which one it is.
constexpr bool same_value(Element type, std::uint64_t a, std::uint64_t b) {
  return a == b || (is_nan(type, a) && is_nan(type, b));
}

/// Lanes of a full repeat of this type: 256, 128, 64 or 32.
constexpr unsigned lanes_of(Element type) {
  return kRepeatBlocks * per_block(type);
}

constexpr bool is_float(Element type) {
  return type == Element::f16 || type == Element::bf16 || type == Element::f32;
}

constexpr bool is_integer(Element type) {
  return !is_float(type);
}

/// Has the type negative numbers?
constexpr bool is_signed(Element type) {
  return is_float(type) || type == Element::i8 || type == Element::i16 || type == Element::i32 ||
         type == Element::i64;
}

constexpr std::string_view name_of(Element type) {
  constexpr std::string_view names[] = {"f16", "bf16", "f32", "i8",  "u8", "i16",
                                        "u16", "i32",  "u32", "i64", "u64"};
  return names[static_cast<unsigned>(type)];
}

constexpr std::optional<Element> element_named(std::string_view name) {
  for (const Element type : kElements)
    if (name_of(type) == name) return type;
  return std::nullopt;
}

/// Calls `f` with a value-initialised element of the C++ type behind `type`.
template <class F>
decltype(auto) with_type(Element type, F&& f) {
  switch (type) {
    case Element::f16:
      return f(Half{});
    case Element::bf16:
      return f(BFloat16{});
    case Element::f32:
      return f(float{});
    case Element::i8:
      return f(std::int8_t{});
    case Element::u8:
      return f(std::uint8_t{});
    case Element::i16:
      return f(std::int16_t{});
    case Element::u16:
      return f(std::uint16_t{});
    case Element::i32:
      return f(std::int32_t{});
    case Element::u32:
      return f(std::uint32_t{});
    case Element::i64:
      return f(std::int64_t{});
    case Element::u64:
      break;
  }
  return f(std::uint64_t{});
}

template <class T>
inline constexpr bool is_half_width_float = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
inline constexpr bool is_float_v = is_half_width_float<T> || std::is_same_v<T, float>;

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof value);
  return value;
}

template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// The bits of a value, in the low `sizeof value` bytes.
template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

}  // namespace lanecheck
