// Worked examples of cast: the values on its page in asc-devkit, the limits of the types, and its lanes
// (VMC 3.1).
#include <cmath>
#include <limits>

#include "corpus/example_testing.h"

namespace lanecheck {
namespace {

using enum Element;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class Cast : public WorkedExample {
 protected:
  template <class Dst, class Src>
  ValueOf<Dst> cast_one(Element dst_type, Element src_type, Round round, ValueOf<Src> value,
                        float scale = 1) {
    ExampleProgram program(GetParam());
    const Operand dst = program.place<Dst>(count_of<Dst>(128, 0));
    const Operand src = program.place<Src>(count_of<Src>(128, value));
    Instruction& cast = program.add(Op::cast, dst_type, src_type, {dst, src});
    cast.round = round;
    cast.scalar.bits = bits_of(rounded_to<Half>(scale));
    program.run();
    return program.read<Dst>(dst, 1).front();
  }

  /// The results in the modes rint, floor, ceil, round, trunc.
  template <class Dst, class Src>
  std::vector<ValueOf<Dst>> cast_in_five(Element dst_type, Element src_type, ValueOf<Src> value) {
    std::vector<ValueOf<Dst>> results;
    for (const Round round : {Round::rint, Round::floor, Round::ceil, Round::round, Round::trunc})
      results.push_back(cast_one<Dst, Src>(dst_type, src_type, round, value));
    return results;
  }
};
LANECHECK_ON_BOTH_EXECUTORS(Cast);

template <class T>
using Five = std::vector<T>;

TEST_P(Cast, HalfToIntegersRoundsInEachMode) {
  EXPECT_EQ((cast_in_five<std::int32_t, Half>(i32, f16, -1.5f)), (Five<std::int32_t>{-2, -2, -1, -2, -1}));
  EXPECT_EQ((cast_in_five<std::int32_t, Half>(i32, f16, 0.5f)), (Five<std::int32_t>{0, 0, 1, 1, 0}));
  EXPECT_EQ((cast_in_five<std::int16_t, Half>(i16, f16, 1.5f)), (Five<std::int16_t>{2, 1, 2, 2, 1}));
  EXPECT_EQ((cast_in_five<std::int16_t, Half>(i16, f16, 2.5f)), (Five<std::int16_t>{2, 2, 3, 3, 2}));
  EXPECT_EQ((cast_in_five<std::int8_t, Half>(i8, f16, 127.5f)), (Five<std::int8_t>{127, 127, 127, 127, 127}));
  EXPECT_EQ((cast_in_five<std::uint8_t, Half>(u8, f16, 1.75f)), (Five<std::uint8_t>{2, 1, 2, 2, 1}));
}

TEST_P(Cast, FloatToIntegersRoundsAndSaturates) {
  const float big = 0x1p22f + 0.5f;
  constexpr std::int32_t whole = 1 << 22;
  EXPECT_EQ((cast_in_five<std::int32_t, float>(i32, f32, big)),
            (Five<std::int32_t>{whole, whole, whole + 1, whole + 1, whole}));
  EXPECT_EQ((cast_in_five<std::int16_t, float>(i16, f32, big)), (Five<std::int16_t>(5, 32767)));
  EXPECT_EQ((cast_in_five<std::int32_t, float>(i32, f32, 0x1p31f)), (Five<std::int32_t>(5, INT32_MAX)));
  EXPECT_EQ((cast_in_five<std::int64_t, float>(i64, f32, 0x1p63f)), (Five<std::int64_t>(5, INT64_MAX)));
  EXPECT_EQ((cast_in_five<std::int64_t, float>(i64, f32, -0x1p63f)), (Five<std::int64_t>(5, INT64_MIN)));
}

TEST_P(Cast, InfinitiesBecomeTheLimitsAndNanZero) {
  EXPECT_EQ((cast_in_five<std::int32_t, float>(i32, f32, kInfinity)), (Five<std::int32_t>(5, INT32_MAX)));
  EXPECT_EQ((cast_in_five<std::int16_t, Half>(i16, f16, -kInfinity)), (Five<std::int16_t>(5, INT16_MIN)));
  EXPECT_EQ((cast_in_five<std::int64_t, float>(i64, f32, kNan)), (Five<std::int64_t>(5, 0)));
  EXPECT_EQ((cast_in_five<std::uint8_t, Half>(u8, f16, -3)), (Five<std::uint8_t>(5, 0)));
}

TEST_P(Cast, IntegersToFloatsRoundAtTheLastPlaceOfDst) {
  EXPECT_EQ((cast_in_five<Half, std::int16_t>(f16, i16, 4098)), (Five<float>{4096, 4096, 4100, 4100, 4096}));
  const float low = 0x1p25f, high = 0x1p25f + 4;
  EXPECT_EQ((cast_in_five<float, std::int32_t>(f32, i32, (1 << 25) + 3)),
            (Five<float>{high, low, high, high, low}));
  const float below = 0x1p35f + 0x1p12f, above = 0x1p35f + 0x1p13f;
  EXPECT_EQ((cast_in_five<float, std::int64_t>(f32, i64, (1ll << 35) + (1 << 12) + (1 << 11))),
            (Five<float>{above, below, above, above, below}));
}

TEST_P(Cast, NegativeIntegersRoundByTheirSign) {
  EXPECT_EQ((cast_in_five<Half, std::int16_t>(f16, i16, -4098)),
            (Five<float>{-4096, -4100, -4096, -4100, -4096}));
  EXPECT_EQ((cast_in_five<float, std::int64_t>(f32, i64, INT64_MIN)), (Five<float>(5, -0x1p63f)));
}

TEST_P(Cast, FloatToHalfRoundsInEachMode) {
  const float tie = 0.5f + 0x1p-12f, next = 0.5f + 0x1p-11f;
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, tie)), (Five<float>{0.5f, 0.5f, next, next, 0.5f}));
  EXPECT_EQ((cast_one<Half, float>(f16, f32, Round::odd, tie)), next);
  EXPECT_EQ((cast_one<Half, float>(f16, f32, Round::odd, 0.5f)), 0.5f);
}

TEST_P(Cast, FloatBeyondTheLargestHalfFollowsItsMode) {
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, 65520)),
            (Five<float>{kInfinity, 65504, kInfinity, kInfinity, 65504}));
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, -65519)),
            (Five<float>{-65504, -kInfinity, -65504, -65504, -65504}));
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, 1e30f)),
            (Five<float>{kInfinity, 65504, kInfinity, kInfinity, 65504}));
  EXPECT_EQ((cast_one<Half, float>(f16, f32, Round::odd, 1e30f)), 65504);
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, kInfinity)), (Five<float>(5, kInfinity)));
  EXPECT_TRUE(std::isnan(cast_one<Half, float>(f16, f32, Round::floor, kNan)));
}

TEST_P(Cast, FloatToSubnormalHalfRoundsAtTheirLastPlace) {
  const float least = 0x1p-24f;
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, least / 2)), (Five<float>{0, 0, least, least, 0}));
  EXPECT_EQ((cast_in_five<Half, float>(f16, f32, -1e-40f)), (Five<float>{0, -least, 0, 0, 0}));
}

TEST_P(Cast, FloatToBfloatRoundsInEachMode) {
  const float next = 0.5f + 0x1p-8f;
  EXPECT_EQ((cast_in_five<BFloat16, float>(bf16, f32, 0.5f + 0x1p-9f + 0x1p-11f)),
            (Five<float>{next, 0.5f, next, next, 0.5f}));
  EXPECT_EQ((cast_in_five<BFloat16, float>(bf16, f32, std::numeric_limits<float>::max())),
            (Five<float>{kInfinity, 0x1.fep127f, kInfinity, kInfinity, 0x1.fep127f}));
}

TEST_P(Cast, FloatToFloatRoundsToAnIntegralValue) {
  EXPECT_EQ((cast_in_five<float, float>(f32, f32, 0.5f)), (Five<float>{0, 0, 1, 1, 0}));
  EXPECT_TRUE(std::signbit(cast_one<float, float>(f32, f32, Round::ceil, -0.25f)));
  EXPECT_EQ((cast_in_five<float, float>(f32, f32, -1e20f)), (Five<float>(5, -1e20f)));
}

TEST_P(Cast, NarrowingIntegersSaturate) {
  EXPECT_EQ((cast_one<std::int16_t, std::int32_t>(i16, i32, Round::none, INT32_MAX)), 32767);
  EXPECT_EQ((cast_one<std::int32_t, std::int64_t>(i32, i64, Round::none, 1ll << 31)), INT32_MAX);
  EXPECT_EQ((cast_one<std::int32_t, std::int64_t>(i32, i64, Round::none, INT64_MIN)), INT32_MIN);
}

TEST_P(Cast, IntegerToHalfMultipliesByTheScaleAndRoundsOnce) {
  EXPECT_EQ((cast_one<Half, std::int32_t>(f16, i32, Round::none, 6, 0.5f)), 3);
  EXPECT_EQ((cast_one<Half, std::int32_t>(f16, i32, Round::none, (1 << 30) + (1 << 19) + 1, 0x1p-20f)), 1025);
  EXPECT_EQ((cast_one<Half, std::int32_t>(f16, i32, Round::none, INT32_MIN, 1)), -kInfinity);
}

TEST_P(Cast, TheWiderTypeDecidesTheLaneDomain) {
  ExampleProgram program(GetParam());
  Operand dst = program.place<Half>(count_of<Half>(128, 9));
  dst.repeat_stride = 4;
  const Operand src = program.place<float>(count_of<float>(128, 1));
  program.set_mask(~0ull, 1);
  Instruction& cast = program.add(Op::cast, f16, f32, {dst, src});
  cast.repeat = 2;
  program.run();
  std::vector<float> expected(128, 9.0f);
  expected[0] = expected[64] = 1;
  EXPECT_EQ(program.read<Half>(dst, 128), expected);
}

TEST_P(Cast, DocumentedSampleHalfToIntWithContiguous32) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int32_t>(std::vector<std::int32_t>(512, -1));
  Operand src = program.place<Half>(count_of<Half>(512, 2.5f));
  src.repeat_stride = 4;
  program.set_mask(0, 0xffffffff);
  Instruction& cast = program.add(Op::cast, i32, f16, {dst, src});
  cast.round = Round::ceil;
  cast.repeat = 8;
  program.run();
  const auto result = program.read<std::int32_t>(dst, 512);
  for (unsigned e = 0; e < 512; ++e) EXPECT_EQ(result[e], e % 64 < 32 ? 3 : -1) << e;
}

}  // namespace
}  // namespace lanecheck
