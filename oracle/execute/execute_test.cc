// The oracle on small programs, one or two for each family: the expected values are derived by hand from the
// documents.
#include "oracle/execute/execute.h"

#include <gtest/gtest.h>

#include "oracle/execute/convert.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The first `count` elements of the allocation `name` after `text` has run, as text.
std::string after(const std::string& text, const std::string& name, unsigned count,
                  const std::string& reading = "") {
  const Program program = parse_program(text, "test");
  Readings readings = default_readings(program.profile);
  if (!reading.empty()) pin(readings, reading);
  State state;
  execute(program, Semantics(readings), state);
  for (const Allocation& each : program.allocations) {
    if (each.name != name) continue;
    std::string shown;
    for (unsigned n = 0; n < count; ++n) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &state.ub[each.offset + n * size_of(each.type)], size_of(each.type));
      shown += (n == 0 ? "" : " ") + show_element(each.type, bits);
    }
    return shown;
  }
  return "no such allocation";
}

const std::string kTwoSources =
    "ub 864\nalloc d f32 0 256 = 9 x64\nalloc a f32 288 256 = 1, 2, 3, 4, 5 x60\n"
    "alloc b f32 576 256 = 10, 20, 30, 40, 50 x60\n";

TEST(Execute, AddWritesActiveLanesAndKeepsTheOldDstInTheOthers) {
  EXPECT_EQ(after(kTwoSources + "set_mask high=0x0 low=0x5\n"
                                "add.f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n",
                  "d", 4),
            "11 9 33 9");
}

TEST(Execute, InstructionsThatAreGivenApartTakeThePlaceOfThoseOfTheProgram) {
  const std::string sub = "sub.f32 d+0 blk=1 rep=8, b+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=1\n";
  const std::string mask = "set_mask high=0x0 low=0x5\n";
  const Program adds = parse_program(
      kTwoSources + "add.f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n", "test");
  const Program subtracts = parse_program(kTwoSources + mask + sub, "test");
  State state;
  execute(adds, subtracts.instructions, Semantics(default_readings(Profile::vmc)), state);
  float left[3];
  std::memcpy(left, state.ub.data(), sizeof left);
  EXPECT_EQ(left[0], 9);  // 10 - 1
  EXPECT_EQ(left[1], 9);  // masked off: the old dst
  EXPECT_EQ(left[2], 27);
}

TEST(Execute, MulAddDstAddsTheProductToDst) {
  EXPECT_EQ(after(kTwoSources + "muladddst.f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n",
                  "d", 3),
            "19 49 99");
}

TEST(Execute, CaddLetsAMaskedOffElementContributeZero) {
  EXPECT_EQ(after(kTwoSources + "set_mask high=0x0 low=0x6\ncadd.f32 d+0 rep=1, a+0 blk=1 rep=8, repeat=1\n",
                  "d", 2),
            "5 9");
}

TEST(Execute, CmaxIgnoresMaskedOffElements) {
  EXPECT_EQ(after(kTwoSources + "set_mask high=0x0 low=0x7\ncmax.f32 d+0 rep=1, a+0 blk=1 rep=8, repeat=1\n",
                  "d", 2),
            "3 9");
}

TEST(Execute, CompareScalarPacksTheLowestLaneIntoTheLowestBit) {
  EXPECT_EQ(after("ub 320\nalloc d u8 0 32 = 170 x8\nalloc s f32 64 256 = 3, 1, 3, 1 x61\n"
                  "compare_scalar.f32 d+0, s+0 blk=1 rep=8, scalar=2, gt, repeat=1\n",
                  "d", 9),
            "5 0 0 0 0 0 0 0 0");
}

TEST(Execute, SelectTakesTheFirstSourceWhereTheControlBitIsOneAndIgnoresTheMask) {
  EXPECT_EQ(
      after(kTwoSources + "alloc c u8 832 32 = 5, 0 x7\nset_mask high=0x0 low=0x0\n"
                          "select.f32 d+0 blk=1 rep=8, c+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n",
            "d", 4),
      "1 20 3 40");
}

TEST(Execute, GatherReadsAtByteOffsets) {
  EXPECT_EQ(after("ub 864\nalloc d f32 0 256\nalloc s f32 288 256 = 1, 2, 3 x62\n"
                  "alloc o u32 576 256 = 8, 4, 0 x62\ngather.f32 d+0 rep=8, s+0, o+0, repeat=1\n",
                  "d", 3),
            "3 2 1");
}

TEST(Execute, CastRoundsAsItsModeSays) {
  const std::string cast =
      "ub 576\nalloc d i32 0 256\nalloc s f32 288 256 = 2.5, -2.5, 1e30 x62\ncast.i32.f32 d+0 blk=1 rep=8, "
      "s+0 blk=1 rep=8, round=";
  EXPECT_EQ(after(cast + "rint, repeat=1\n", "d", 3), "2 -2 2147483647");
  EXPECT_EQ(after(cast + "floor, repeat=1\n", "d", 2), "2 -3");
  EXPECT_EQ(after(cast + "round, repeat=1\n", "d", 2), "3 -3");
}

TEST(Execute, Sort32PutsTheGreatestScoreFirstWithItsIndex) {
  EXPECT_EQ(after("ub 576\nalloc d u32 0 256\nalloc s f32 256 128 = 1, 3, 2, 0 x29\n"
                  "alloc i u32 416 128 = 70, 71, 72, 0 x29\nsort32.f32 d+0, s+0, i+0, repeat=1\n",
                  "d", 6),
            "1077936128 71 1073741824 72 1065353216 70");  // the bits of 3, 2 and 1
}

TEST(Execute, Sort32OrdersZerosAsItsReadingSays) {
  const std::string sort =
      "ub 576\nalloc d u32 0 256\nalloc s f32 256 128 = 1, -0, 0, -1 x29\n"
      "alloc i u32 416 128 = 70, 71, 72, 0 x29\nsort32.f32 d+0, s+0, i+0, repeat=1\n";
  const std::string one = "1065353216 70 ", plus = "0 72", minus = "2147483648 71";  // bits and index
  EXPECT_EQ(after(sort, "d", 6, "sort_zeros=equal"), one + minus + " " + plus);
  EXPECT_EQ(after(sort, "d", 6, "sort_zeros=ordered"), one + plus + " " + minus);
}

TEST(Execute, AMergeOrdersZerosAsItsReadingSays) {
  const std::string merge =
      "ub 320\nalloc d u32 0 32\nalloc a u32 64 32 = 2147483648, 71, 0 x6\n"
      "alloc b u32 128 32 = 0, 72, 0 x6\nmergesort_2seq.f32 d+0, a+0, b+0, length=1, length=1\n";
  EXPECT_EQ(after(merge, "d", 4, "sort_zeros=equal"), "2147483648 71 0 72");
  EXPECT_EQ(after(merge, "d", 4, "sort_zeros=ordered"), "0 72 2147483648 71");
  EXPECT_EQ(after(merge, "d", 4, "sort_ties=reversed"), "0 72 2147483648 71");
}

TEST(Execute, GatherMaskPattern1KeepsEveryOtherElementFromTheFirst) {
  const std::string gather =
      "profile ascendc-a2\nub 640\nalloc d i32 0 256\nalloc s i32 288 256 = 5, 6, 7, 8 x61\nalloc n u64 576 "
      "32\n"
      "gather_mask.i32 d+0, s+0 blk=1 rep=8, n+0, pattern=1, counter=0, mask=0, repeat=1\n";
  EXPECT_EQ(after(gather, "d", 3), "5 7 8");
  EXPECT_EQ(after(gather, "n", 1), "32");
}

TEST(Execute, PaddingMode0OnTheLeftFillsABlockWithItsFirstElement) {
  EXPECT_EQ(after("profile ascendc-310p\nub 576\nalloc d i32 0 256\nalloc s i32 288 256 = 5, 6 x7, 7, 8 x55\n"
                  "vpadding.i32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, mode=0, side=0, repeat=1\n",
                  "d", 9),
            "5 5 5 5 5 5 5 5 7");
}

TEST(Execute, ACastWrapsFromBothOrFromIntegersAloneAsItsReadingSays) {
  const std::string casts =
      "ub 1088\nalloc a i16 0 128\nalloc b i32 160 256 = 65537 x64\nalloc c i16 448 128\n"
      "alloc d f32 608 256 = 65537 x64\ncast.i16.i32 a+0 blk=1 rep=4, b+0 blk=1 rep=8, round=none, repeat=1\n"
      "cast.i16.f32 c+0 blk=1 rep=4, d+0 blk=1 rep=8, round=rint, repeat=1\n";
  const auto both = [&](const std::string& option) {
    return after(casts, "a", 1, "cast_overflow=" + option) + " " +
           after(casts, "c", 1, "cast_overflow=" + option);
  };
  EXPECT_EQ(both("saturates"), "32767 32767");
  EXPECT_EQ(both("wraps"), "1 1");
  EXPECT_EQ(both("integers_wrap"), "1 32767");
}

TEST(Execute, SelectBitsWithoutRepeatsLoadsTheCompareMaskAsItsReadingSays) {
  const std::string select =
      "profile ascendc-a2\nub 1088\nalloc d f32 0 256\nalloc c u8 256 32 = 5 x16\nalloc old u8 288 32 = 9 "
      "x16\n"
      "alloc a f32 320 256\nalloc b f32 576 256\nalloc g u8 832 128\nset_cmpmask old+0\n"
      "select_bits.f32 d+0 blk=1 rep=8, c+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, mask=64, repeat=0\n"
      "get_cmpmask g+0\n";
  EXPECT_EQ(after(select, "g", 2, "idle_select_bits=loads"), "5 5");
  EXPECT_EQ(after(select, "g", 2, "idle_select_bits=unchanged"), "9 9");
}

// 2143289344 and 32256 are the quiet NaNs without sign and payload, 0x7fc00000 and 0x7e00.
TEST(Execute, AComputedNanHasNoSignAndNoPayload) {
  const std::string nans =
      "ub 864\nalloc d u32 0 256 = 9 x64\nalloc a u32 288 256 = 4290777493, 2143294004, 2139095041 x62\n"
      "alloc b u32 576 256 = 2143299999, 4294967295 x63\n";
  for (const std::string op : {"add", "sub", "mul", "div", "vmax", "muladddst"})
    EXPECT_EQ(after(nans + op + ".f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n", "d", 3),
              "2143289344 2143289344 2143289344")
        << op;
  EXPECT_EQ(after(nans + "cast.f32.f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, round=rint, repeat=1\n", "d", 3),
            "2143289344 2143289344 2143289344");
  EXPECT_EQ(after("ub 448\nalloc d u16 0 128\nalloc s u32 160 256 = 4290777493, 2139095041 x63\n"
                  "cast.f16.f32 d+0 blk=1 rep=4, s+0 blk=1 rep=8, round=rint, repeat=1\n",
                  "d", 2),
            "32256 32256");
}

/// Integers at and beside the middle between two floats: a double between would round some of them twice.
TEST(Execute, ACastOfA64BitIntegerRoundsOnce) {
  const auto whole = [](float value) { return static_cast<std::int64_t>(value); };
  const float up = std::numeric_limits<float>::infinity();
  for (int top = 24; top < 62; ++top)
    for (std::int64_t half_steps = 0; half_steps < 8; ++half_steps)
      for (std::int64_t beside = -1; beside <= 1; ++beside)
        for (const std::int64_t sign : {1, -1}) {
          const std::int64_t half_step = std::int64_t{1} << (top - 24);
          const std::int64_t source = sign * ((std::int64_t{1} << top) + half_steps * half_step + beside);
          const auto as = [&](Round mode) { return convert<float>(source, mode, Readings{}); };
          const float below = as(Round::floor), above = as(Round::ceil);
          EXPECT_LE(whole(below), source);
          EXPECT_GT(whole(std::nextafter(below, up)), source);
          EXPECT_GE(whole(above), source);
          EXPECT_LT(whole(std::nextafter(above, -up)), source);
          EXPECT_EQ(as(Round::rint), static_cast<float>(source)) << source;  // which is to the nearest
          EXPECT_EQ(as(Round::trunc), source > 0 ? below : above);
          const std::int64_t to_below = source - whole(below), to_above = whole(above) - source;
          const float outer = source > 0 ? above : below, inner = source > 0 ? below : above;
          const bool nearer_inner = source > 0 ? to_below < to_above : to_above < to_below;
          EXPECT_EQ(as(Round::round), nearer_inner ? inner : outer) << source;
        }
}

/// sum_order=wide speaks of sums in f32 and f64. In integers it allows no sum that is exact on the way and
/// clamped at the end: 32767 + 1 saturates, and -32767 follows.
TEST(Execute, AWideSumIsOneOfFloatingPointNumbers) {
  const std::string program =
      "ub 320\nalloc d i16 0 32 = 9 x16\nalloc s i16 64 256 = 32767, 1, -32767, 0 x125\n"
      "cadd.i16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1\n";
  const Program parsed = parse_program(program, "test");
  const auto sum = [&](SumOrder order) {
    Readings readings = default_readings(parsed.profile);
    readings.integer_overflow = IntegerOverflow::saturates;
    readings.sum_order = order;
    State state;
    execute(parsed, Semantics(readings), state);
    std::int16_t value = 0;
    std::memcpy(&value, state.ub.data(), sizeof value);
    return value;
  };
  EXPECT_EQ(sum(SumOrder::any), 0);  // (32767 + 1) + (-32767 + 0)
  EXPECT_EQ(sum(SumOrder::wide), 0);
}

}  // namespace
}  // namespace lanecheck
