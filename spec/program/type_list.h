// The element types that an instruction offers: pairs of dst and source type, as lists with names.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "spec/program/element.h"
#include "spec/program/profile_set.h"

namespace lanecheck {

enum class Round : std::uint8_t { none, rint, floor, ceil, round, trunc, odd };
inline constexpr std::string_view kRoundNames[] = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
inline constexpr std::string_view kCompareNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};

struct TypePair {
  Element dst, src;
  std::uint8_t modes = 0;  ///< bit n set: Round(n) (casts) or Compare(n) is on offer; compares: 0 means all

  bool operator==(const TypePair&) const = default;
};

/// The types of an instruction in one profile.
struct TypeList {
  bool offered = false;
  std::span<const TypePair> pairs;  ///< empty for an instruction without element types

  constexpr TypeList() = default;
  template <std::size_t N>
  constexpr TypeList(const std::array<TypePair, N>& list) : offered(true), pairs(list) {}
};

struct TypesByProfile {
  TypeList vmc{}, a2{}, p310{}, tik{};  ///< a profile that is left out does not offer the instruction

  constexpr const TypeList& in(Profile profile) const {
    switch (profile) {
      case Profile::vmc:
        return vmc;
      case Profile::a2:
        return a2;
      case Profile::p310:
        return p310;
      case Profile::tik:
        break;
    }
    return tik;
  }
};

namespace type_lists {

using enum Element;

constexpr TypePair same(Element type) {
  return {type, type};
}

// Which types VMC's simulator computes on is not said; section 1 names float, int32, half, int16, int8 and
// uint8 as those with an active prefix, so arithmetic offers these. u16, u32, i64, u64 and bf16 come in
// where moving or casting is all that happens to an element. A backend skips what it does not offer.
constexpr std::array<TypePair, 0> kNoTypes{};
inline constexpr std::array kCompareMask = {same(u8)};
inline constexpr std::array kHalfAndFloat = {same(f16), same(f32)};
inline constexpr std::array kSigned = {same(f16), same(f32), same(i8), same(i16), same(i32)};
inline constexpr std::array kArithmetic = {same(f16), same(f32), same(i8), same(u8), same(i16), same(i32)};
inline constexpr std::array kLogic = {same(i8), same(u8), same(i16), same(u16), same(i32), same(u32)};
inline constexpr std::array kMultiplyAdd = {same(f16), same(f32), TypePair{f32, f16}};
inline constexpr std::array kVmcMultiplyAdd = {same(f16), same(f32), TypePair{f32, f16}, same(i32)};
inline constexpr std::array kNumeric = {same(f16), same(f32), same(i16), same(i32)};
inline constexpr std::array kCompare = {TypePair{u8, f16}, TypePair{u8, f32}, TypePair{u8, i16},
                                        TypePair{u8, i32}};
inline constexpr std::array kMoved = {same(f16), same(bf16), same(f32), same(i16),
                                      same(u16), same(i32),  same(u32)};
inline constexpr std::array kEveryType = {same(f16), same(bf16), same(f32), same(i8),  same(u8), same(i16),
                                          same(u16), same(i32),  same(u32), same(i64), same(u64)};

// asc-devkit, tables of types for Atlas A2 (the page of each instruction).
inline constexpr std::array kA2Relu = {same(f16), same(f32), same(i32)};
inline constexpr std::array kA2Logic = {same(i16), same(u16)};
inline constexpr std::array kShift = {same(i16), same(u16), same(i32), same(u32)};
inline constexpr auto kOnlyEqual = static_cast<std::uint8_t>(1u << static_cast<unsigned>(Compare::eq));
inline constexpr std::array kA2Compare = {TypePair{u8, f16}, TypePair{u8, f32},
                                          TypePair{u8, i32, kOnlyEqual}};
inline constexpr std::array kCmpCompare = {TypePair{u8, f16}, TypePair{u8, f32}};
inline constexpr std::array kBlockMoved = {same(u16), same(u32)};
// VP and the GatherMask page for Atlas inference products; TIK's vec_dup.
inline constexpr std::array kPadded = {same(i16), same(u16), same(f16), same(i32), same(u32), same(f32)};
// SetVectorMask only asks how wide the operands are that follow.
inline constexpr std::array kMaskTypes = {same(f16), same(bf16), same(i16), same(u16), same(f32),
                                          same(i32), same(u32),  same(i64), same(u64)};

constexpr std::uint8_t rounds(std::initializer_list<Round> modes) {
  std::uint8_t bits = 0;
  for (const Round mode : modes) bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(mode));
  return bits;
}
inline constexpr auto kExact = rounds({Round::none});
inline constexpr auto kFive = rounds({Round::rint, Round::floor, Round::ceil, Round::round, Round::trunc});
inline constexpr auto kSix = static_cast<std::uint8_t>(kFive | kExact);

// asc-devkit, Cast: pairs and round modes on Atlas A2, without the int4 ones (int4 is no element type here).
inline constexpr std::array kCastPairs = {
    TypePair{f16, i8, kExact},   TypePair{f16, u8, kExact},
    TypePair{f16, i16, kSix},    TypePair{f32, i16, kExact},
    TypePair{i8, f16, kSix},     TypePair{u8, f16, kSix},
    TypePair{i16, f16, kFive},   TypePair{i32, f16, kFive},
    TypePair{f32, f16, kExact},  TypePair{i32, bf16, kFive},
    TypePair{f32, bf16, kExact}, TypePair{i16, i32, kExact},
    TypePair{f16, i32, kExact},  TypePair{f32, i32, kSix},
    TypePair{i64, i32, kExact},  TypePair{f16, f32, static_cast<std::uint8_t>(kSix | rounds({Round::odd}))},
    TypePair{bf16, f32, kFive},  TypePair{i16, f32, kFive},
    TypePair{i32, f32, kFive},   TypePair{i64, f32, kFive},
    TypePair{f32, f32, kFive},   TypePair{i32, i64, kExact},
    TypePair{f32, i64, kFive},
};

}  // namespace type_lists
}  // namespace lanecheck
