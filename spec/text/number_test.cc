// Numbers as text. The expected bits are worked out by hand from the layouts of the types (IEEE 754,
// bfloat16).
#include "spec/text/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lanecheck {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct ShownElement {
  Element type;
  std::uint64_t bits;
  const char* text;
};

constexpr ShownElement kShown[] = {
    {Element::f16, 0x0000, "0"},
    {Element::f16, 0x8000, "-0"},
    {Element::f16, 0x3c00, "1"},
    {Element::f16, 0x3e00, "1.5"},
    {Element::f16, 0x7bff, "65504"},
    {Element::f16, 0x7c00, "inf"},
    {Element::f16, 0xfc00, "-inf"},
    {Element::f16, 0x7e01, "0x7e01"},
    {Element::bf16, 0x3f80, "1"},
    {Element::bf16, 0xc000, "-2"},
    {Element::bf16, 0xff80, "-inf"},
    {Element::bf16, 0x7fc1, "0x7fc1"},
    {Element::f32, 0x3f800000, "1"},
    {Element::f32, 0x3dcccccd, "0.1"},
    {Element::f32, 0x00000001, "1e-45"},
    {Element::f32, 0x80000000, "-0"},
    {Element::f32, 0xffc00000, "0xffc00000"},
    {Element::i8, 0x80, "-128"},
    {Element::i8, 0x7f, "127"},
    {Element::u8, 0xff, "255"},
    {Element::i16, 0x8000, "-32768"},
    {Element::u16, 0xffff, "65535"},
    {Element::i32, 0x80000000, "-2147483648"},
    {Element::u32, 0xffffffff, "4294967295"},
    {Element::i64, 0x8000000000000000, "-9223372036854775808"},
    {Element::i64, 0x7fffffffffffffff, "9223372036854775807"},
    {Element::u64, 0xffffffffffffffff, "18446744073709551615"},
};

TEST(Number, AnElementIsShownAndReadBack) {
  for (const auto& [type, bits, text] : kShown) {
    EXPECT_EQ(show_element(type, bits), text) << name_of(type);
    EXPECT_EQ(parse_element(type, text), bits) << name_of(type) << " " << text;
  }
}

TEST(Number, EveryValueOfANarrowTypeReadsBack) {
  for (const Element type :
       {Element::f16, Element::bf16, Element::i8, Element::u8, Element::i16, Element::u16})
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << (8 * size_of(type)); ++bits)
      ASSERT_EQ(parse_element(type, show_element(type, bits)), bits) << name_of(type) << " " << bits;
}

struct NotAnElement {
  Element type;
  const char* text;
};

TEST(Number, WhatIsNotExactlyAnElementIsRefused) {
  constexpr NotAnElement kBad[] = {
      {Element::f16, "0.1"},
      {Element::f16, "65520"},
      {Element::f16, "0x10000"},
      {Element::f16, "nan"},
      {Element::bf16, "257"},
      {Element::f32, "1e400"},
      {Element::f32, "0x1p3"},
      {Element::f32, ""},
      {Element::i8, "128"},
      {Element::i8, "-129"},
      {Element::i8, "0x100"},
      {Element::u8, "-1"},
      {Element::u8, "256"},
      {Element::i32, "1.5"},
      {Element::i32, " 1"},
      {Element::i32, "1 "},
      {Element::i32, "+1"},
      {Element::u32, "4294967296"},
      {Element::i32, "0x"},
      {Element::i32, "-0x1"},
      {Element::u64, "18446744073709551616"},
      {Element::i64, "9223372036854775808"},
  };
  for (const auto& [type, text] : kBad)
    EXPECT_EQ(parse_element(type, text), std::nullopt) << name_of(type) << " '" << text << "'";
}

struct Rounded {
  Element type;
  double value;
  std::uint64_t bits;
};

TEST(Number, NearestRoundsTiesToEvenAndClampsIntegers) {
  const Rounded kCases[] = {
      {Element::f16, 2049, 0x6800},                                         // between 2048 and 2050
      {Element::f16, 2051, 0x6802},                                         // between 2050 and 2052
      {Element::f16, 1 + std::ldexp(1, -11), 0x3c00},                       // half a step above 1
      {Element::f16, 1 + std::ldexp(1, -11) + std::ldexp(1, -40), 0x3c01},  // no double rounding through f32
      {Element::f16, 65519, 0x7bff},
      {Element::f16, 65520, 0x7c00},
      {Element::f16, std::ldexp(1, -24), 0x0001},
      {Element::f16, std::ldexp(1, -25), 0x0000},
      {Element::f16, -kInf, 0xfc00},
      {Element::bf16, 1 + std::ldexp(1, -8), 0x3f80},
      {Element::bf16, 1 + std::ldexp(3, -8), 0x3f82},
      {Element::bf16, 1 + std::ldexp(1, -8) + std::ldexp(1, -40), 0x3f81},
      {Element::f32, 16777217, 0x4b800000},
      {Element::f32, 0.1, 0x3dcccccd},
      {Element::i8, 128, 0x7f},
      {Element::i8, -1.9, 0xff},
      {Element::i8, -1000, 0x80},
      {Element::u8, 255.9, 0xff},
      {Element::u8, -3, 0x00},
      {Element::i32, 2147483647, 0x7fffffff},
      {Element::i32, kNan, 0},
      {Element::i64, 1e30, 0x7fffffffffffffff},
      {Element::u64, 1e30, 0xffffffffffffffff},
  };
  for (const auto& [type, value, bits] : kCases)
    EXPECT_EQ(nearest(type, value), bits) << name_of(type) << " " << value;
}

TEST(Number, AScalarKeepsWhatWasWrittenAndRoundsItsBits) {
  const auto tenth = parse_scalar(Element::f16, "0.1");
  ASSERT_TRUE(tenth);
  EXPECT_EQ(tenth->value, 0.1);
  EXPECT_EQ(tenth->bits, 0x2e66u);
  EXPECT_EQ(show_scalar(Element::f16, *tenth), "0.1");
  EXPECT_EQ(show_scalar(Element::f16, scalar_from_bits(Element::f16, 0x7e01)), "0x7e01");
  EXPECT_EQ(show_scalar(Element::i8, scalar_from_bits(Element::i8, 0xff)), "-1");
  EXPECT_EQ(parse_scalar(Element::i8, "300"), std::nullopt);
  EXPECT_EQ(parse_scalar(Element::f32, "one"), std::nullopt);
}

TEST(Number, UnsignedNumbersAreDecimalOrHexadecimal) {
  EXPECT_EQ(parse_unsigned("12"), 12u);
  EXPECT_EQ(parse_unsigned("0xC"), 12u);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(show_hex(0), "0x0");
  EXPECT_EQ(show_hex(~std::uint64_t{0}), "0xffffffffffffffff");
  for (const char* bad : {"", "0x", "-1", "18446744073709551616", "0x10000000000000000", "1 ", "1.0", "c"})
    EXPECT_EQ(parse_unsigned(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace lanecheck
