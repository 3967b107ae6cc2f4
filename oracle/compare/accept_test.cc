// Accept sets: lenient where the documents are, and nowhere else.
#include <gtest/gtest.h>

#include <array>

#include "oracle/compare/compare.h"
#include "oracle/compare/slice.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Does the accept set of `text` admit the state that the oracle leaves, with one element of the first
/// allocation replaced by `value`?
bool admits(const std::string& text, unsigned element, std::string_view value,
            const Readings& readings = {}) {
  const Program program = parse_program(text, "test");
  Semantics semantics(readings);
  State state;
  execute(program, semantics, state);
  const Element type = program.allocations[0].type;
  const std::uint64_t bits = *parse_element(type, value);
  std::memcpy(state.ub.data() + element * size_of(type), &bits, size_of(type));
  const bool agrees = compare(program, semantics, state, true).agrees;
  semantics.seams.clips_repeats = false;  // then only a slice of the program is looked at
  EXPECT_EQ(compare(program, semantics, state, true).agrees, agrees) << text;
  return agrees;
}

/// The result of exp is lenient, and what add computes from it; dup and vnot have no part in it.
constexpr const char* kChain = R"(
    ub 1536
    alloc d f32 0 256
    alloc e f32 288 256
    alloc s f32 576 256 = 1 x64
    alloc u f32 864 256
    alloc v u16 1152 256 = 5 x128
    exp.f32 e+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
    dup.f32 u+0 blk=1 rep=8, scalar=1, repeat=1
    add.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, e+0 blk=1 rep=8, repeat=1
    vnot.u16 v+0 blk=1 rep=8, v+0 blk=1 rep=8, repeat=1
  )";

TEST(AcceptSets, WhatIsComputedFromALenientResultIsLenient) {
  EXPECT_TRUE(admits(kChain, 3, "12345"));
}

TEST(Slice, HasTheInstructionsThatLeadToABlockAndNoOthers) {
  const Program program = parse_program(kChain, "test");
  const auto behind = [&](std::uint32_t start) { return slice_behind(program, {&start, 1}).instructions; };
  using Flags = std::vector<std::uint8_t>;
  EXPECT_EQ(behind(32), (Flags{1, 0, 1, 0})) << "d";
  EXPECT_EQ(behind(288), (Flags{1, 0, 0, 0})) << "e";
  EXPECT_EQ(behind(1120), (Flags{0, 1, 0, 0})) << "the bytes behind u";
  EXPECT_EQ(behind(1152), (Flags{0, 0, 0, 1})) << "v, in place";
  EXPECT_EQ(behind(576), (Flags{0, 0, 0, 0})) << "s, which is only read";
}

TEST(Slice, HasTheSourcesAsAWholeAndOfTheResultsTheWordAlone) {
  const Program program = parse_program(kChain, "test");
  const std::uint32_t at = 43;
  const Slice slice = slice_behind(program, {&at, 1});
  EXPECT_FALSE(slice.has_word_of(39));
  EXPECT_TRUE(slice.has_word_of(40));
  EXPECT_TRUE(slice.has_word_of(47));
  EXPECT_FALSE(slice.has_word_of(48));
  EXPECT_TRUE(slice.has_word_of(288 + 255));
  EXPECT_TRUE(slice.has_word_of(576 + 255));
  EXPECT_FALSE(slice.has_word_of(864));
}

TEST(AcceptSets, ASumThatIsExactInAnyOrderAdmitsNothingElse) {
  const std::string sum =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = 8 x128
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(sum, 0, "1024"));
  EXPECT_FALSE(admits(sum, 0, "1016")) << "one lane less must show";
}

TEST(AcceptSets, ACastOfANegativeToU8IsUndefinedAndOfAPositiveIsNot) {
  const std::string cast =
      R"(
    ub 448
    alloc d u8 0 128
    alloc s f16 160 256 = -3, 3 x127
    cast.u8.f16 d+0 blk=1 rep=4, s+0 blk=1 rep=8, round=rint, repeat=1
  )";
  EXPECT_TRUE(admits(cast, 0, "253"));
  EXPECT_FALSE(admits(cast, 1, "253"));
}

TEST(AcceptSets, LreluOfZeroIsZeroOfItsOwnSignAndOnlyNanIsFree) {
  const std::string lrelu =
      R"(
    ub 576
    alloc d f32 0 256
    alloc s u32 288 256 = 0, 2147483648, 2143289344, 1065353216 x61
    lrelu.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=-2, repeat=1
  )";
  EXPECT_TRUE(admits(lrelu, 0, "0"));
  EXPECT_FALSE(admits(lrelu, 0, "-0")) << "0 is not negative, so that the slope of -2 has no part in it";
  EXPECT_TRUE(admits(lrelu, 1, "-0"));
  EXPECT_FALSE(admits(lrelu, 1, "0"));
  EXPECT_TRUE(admits(lrelu, 2, "7")) << "NaN is neither negative nor at least 0";
}

TEST(AcceptSets, GetCmpMaskMayLeaveAnythingInBytes16To127AndNothingElseInTheFirst16) {
  const std::string get =
      R"(
    profile ascendc-a2
    ub 224
    alloc d u8 0 128
    alloc s u8 160 32 = 170 x16
    set_cmpmask s+0
    get_cmpmask d+0
  )";
  EXPECT_TRUE(admits(get, 16, "9"));
  EXPECT_TRUE(admits(get, 127, "9"));
  EXPECT_FALSE(admits(get, 15, "9"));
}

TEST(AcceptSets, TheCompareMaskIsUndefinedUntilItIsSetAndAfterASelectWithAScalar) {
  const std::string head =
      R"(
    profile ascendc-a2
    ub 1152
    alloc d f16 0 256
    alloc a f16 288 256 = 1 x128
    alloc b f16 576 256 = 2 x128
    alloc c u8 864 32 = 255 x16
    alloc e f16 896 256
  )";
  const std::string select =
      "select_cmpmask.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n";
  EXPECT_TRUE(admits(head + select, 0, "9"));
  EXPECT_FALSE(admits(head + "set_cmpmask c+0\n" + select, 0, "9"));
  const std::string scalar =
      "select_scalar.f16 e+0 blk=1 rep=8, c+0, a+0 blk=1 rep=8, scalar=3, mask=128, repeat=1\n";
  EXPECT_TRUE(admits(head + "set_cmpmask c+0\n" + scalar + select, 0, "9"));
}

TEST(AcceptSets, WhatIsUndefinedPastTheCountOfGatherMaskExcusesNothingElse) {
  const std::string program =
      R"(
    profile ascendc-a2
    ub 1888
    alloc d f16 0 256
    alloc a f16 288 256 = 1 x128
    alloc b f16 576 256 = 2 x128
    alloc c u8 864 32 = 255 x16
    alloc g i32 896 256
    alloc s i32 1184 256 = 5 x64
    alloc n u64 1472 32
    set_cmpmask c+0
    gather_mask.i32 g+0, s+0 blk=1 rep=8, n+0, pattern=1, counter=0, mask=0, repeat=1
    select_cmpmask.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, mask=128, repeat=1
  )";
  Readings readings = default_readings(Profile::a2);
  readings.gather_past_count = GatherPastCount::undefined;
  EXPECT_FALSE(admits(program, 0, "9", readings));
}

TEST(AcceptSets, DstOfGatherMaskPastTheCountIsFreeOnlyUnderTheReadingThatSaysSo) {
  const std::string gather =
      R"(
    profile ascendc-a2
    ub 640
    alloc d i32 0 256
    alloc s i32 288 256 = 5 x64
    alloc p u8 576 32 = 3
    alloc c u64 608 32
    gather_mask_user.i32 d+0, s+0 blk=1 rep=8, p+0 rep=1, c+0, counter=0, mask=0, repeat=1
  )";
  Readings readings = default_readings(Profile::a2);
  EXPECT_FALSE(admits(gather, 2, "9", readings)) << "two elements are kept";
  readings.gather_past_count = GatherPastCount::undefined;
  EXPECT_TRUE(admits(gather, 2, "9", readings));
  EXPECT_FALSE(admits(gather, 1, "9", readings));
}

TEST(AcceptSets, ASumThatRoundsMayBeAddedInAnyOrderUnlessTheOrderIsPinned) {
  const std::string sum =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = 2048, 1 x3
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(sum, 0, "2050"));
  EXPECT_TRUE(admits(sum, 0, "2048"));
  EXPECT_FALSE(admits(sum, 0, "4096"));
  Readings pinned;
  pinned.sum_order = SumOrder::sequential;
  EXPECT_FALSE(admits(sum, 0, "2050", pinned));
  EXPECT_TRUE(admits(sum, 0, "2048", pinned));
}

/// (2048 + 1) + (-2048 + 0) is 0 in f16, and 2048 - 2048 + 1 is 1.
TEST(AcceptSets, ASumThatIsZeroInOneOrderMayBeAnotherNumberInAnotherOrder) {
  const std::string sum =
      "ub 320\nalloc d f16 0 32\nalloc s f16 32 256 = 2048, 1, -2048, 0 x125\n"
      "cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1";
  EXPECT_TRUE(admits(sum, 0, "0"));
  EXPECT_TRUE(admits(sum, 0, "-0"));
  EXPECT_TRUE(admits(sum, 0, "1"));
}

TEST(AcceptSets, ASumWithAnInfinityMayMeetTheOtherOneWhereSomeOrderOverflows) {
  const std::string sum =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = 1, -inf, 65504 x3, 1 x123
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(sum, 0, "-inf"));
  EXPECT_TRUE(admits(sum, 0, "0x7e00"));
  const std::string small =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = 1, -inf, 1 x126
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(small, 0, "-inf"));
  EXPECT_FALSE(admits(small, 0, "0x7e00")) << "no order makes a NaN of these";
}

TEST(AcceptSets, ASumThatOverflowsInEveryOrderIsInfinite) {
  const std::string sum =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = -1000 x128
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(sum, 0, "-inf"));
  EXPECT_FALSE(admits(sum, 0, "-65504"));
  const std::string some =
      R"(
    ub 320
    alloc d f16 0 32
    alloc s f16 64 256 = 65504, 1 x127
    cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(some, 0, "65504")) << "each 1 is lost if it is added alone";
}

TEST(AcceptSets, WhatACompareOfALenientValueWritesIsLenientAlsoWhereItLeavesTheOldByte) {
  const std::string flow =
      R"(
    ub 640
    alloc d u8 0 32 = 0 x8
    alloc s f32 64 256 = 3 x64
    rec.f32 s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
    compare_scalar.f32 d+0, s+0 blk=1 rep=8, scalar=1, eq, repeat=1
  )";
  EXPECT_TRUE(admits(flow, 3, "255"));
  EXPECT_FALSE(admits(flow, 8, "255")) << "past the packed result";
}

TEST(AcceptSets, WhatAScatterOfALenientValueWritesIsLenientWhereItLands) {
  const std::string flow =
      R"(
    ub 1152
    alloc d f32 0 256
    alloc s f32 288 256 = inf x64
    alloc o u32 576 256 = 4 x64
    rec.f32 s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
    scatter.f32 d+0, s+0 rep=8, o+0, repeat=1
  )";
  EXPECT_TRUE(admits(flow, 1, "1e-45"));
  EXPECT_FALSE(admits(flow, 2, "1e-45"));
}

/// By hand, from IEEE 754: each instruction at the sources 0, -0, -4 and 4.
TEST(AcceptSets, OutsideTheDomainOfAnInstructionTheReadingOutsideDomainDecides) {
  const struct {
    std::string text;
    std::array<std::string_view, 3> ieee;
  } instructions[] = {
      {"sqrt.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8", {"0", "0", "0x7fc00000"}},
      {"rsqrt.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8", {"inf", "-inf", "0x7fc00000"}},
      {"ln.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8", {"-inf", "-inf", "0x7fc00000"}},
      {"rec.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8", {"inf", "-inf", "-0.25"}},
      {"div.f32 d+0 blk=1 rep=8, o+0 blk=1 rep=8, s+0 blk=1 rep=8", {"inf", "-inf", "-0.25"}},
      {"div.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, z+0 blk=1 rep=8", {"0x7fc00000", "0x7fc00000", "-inf"}}};
  Readings undefined;
  undefined.outside_domain = OutsideDomain::undefined;
  for (const auto& [instruction, ieee] : instructions) {
    SCOPED_TRACE(instruction);
    const std::string program =
        "ub 1440\nalloc d f32 0 256\nalloc s f32 288 256 = 0, -0, -4, 4 x61\nalloc o f32 576 256 = 1 x64\n"
        "alloc z f32 864 256 = 0 x64\n" +
        instruction + ", repeat=1";
    for (unsigned n = 0; n < 3; ++n) {
      EXPECT_TRUE(admits(program, n, ieee[n])) << n;
      EXPECT_FALSE(admits(program, n, "7")) << n;
      const bool has_result = ieee[n] == "-0.25" || ieee[n] == "0";  // 0 has a root
      EXPECT_EQ(admits(program, n, "7", undefined), !has_result) << n;
    }
    const bool divides_by_0 = instruction.starts_with("div.f32 d+0 blk=1 rep=8, s");
    EXPECT_EQ(admits(program, 4, "7", undefined), divides_by_0);
  }
}

/// e^11.09375 (0x498c) = 65758.9 and 2^17 are further beyond 65504, the greatest f16, than exp and rec may
/// err. 2^16 is not: an estimate of it may be 2^-8 less.
TEST(AcceptSets, AResultFarBeyondTheRangeIsInfinityAndNotTheGreatestNumber) {
  const auto program = [](std::string_view op, std::string_view source) {
    return "ub 576\nalloc d f16 0 256\nalloc s f16 288 256 = " + std::string(source) + " x128\n" +
           std::string(op) + ".f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1";
  };
  Readings saturate;
  saturate.half_overflow = HalfOverflow::saturate;
  for (const std::string& far : {program("exp", "0x498c"), program("rec", "0x0080")}) {
    EXPECT_TRUE(admits(far, 0, "inf")) << far;
    EXPECT_FALSE(admits(far, 0, "65504")) << far;
    EXPECT_TRUE(admits(far, 0, "65504", saturate)) << far;
    EXPECT_FALSE(admits(far, 0, "inf", saturate)) << far;
  }
  EXPECT_TRUE(admits(program("rec", "0x0100"), 0, "65504"));
  EXPECT_TRUE(admits(program("rec", "0x0100"), 0, "inf"));
}

TEST(AcceptSets, ExpMayErrByOneUlpInActiveLanesAndByNothingInMaskedOffOnes) {
  const std::string exp =
      R"(
    ub 576
    alloc d f32 0 256 = 7 x64
    alloc s f32 288 256 = 1 x64
    set_mask high=0x0 low=0x1
    exp.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(exp, 0, "2.7182817"));
  EXPECT_TRUE(admits(exp, 0, "2.7182820"));
  EXPECT_FALSE(admits(exp, 0, "2.7182830"));
  EXPECT_FALSE(admits(exp, 1, "7.0000005")) << "a masked-off lane keeps its bits";
}

TEST(AcceptSets, AnyNanStandsForANan) {
  const std::string sub =
      R"(
    ub 576
    alloc d f32 0 256
    alloc s f32 288 256 = inf x64
    sub.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
  )";
  EXPECT_TRUE(admits(sub, 5, "0x7fc00001"));
  EXPECT_TRUE(admits(sub, 5, "0xffc12345"));
  EXPECT_FALSE(admits(sub, 5, "0"));
}

TEST(AcceptSets, WhatAnInexactResultFlowsIntoIsLenientOnlyInActiveLanes) {
  const std::string flow =
      R"(
    ub 576
    alloc d f32 0 256 = 7 x64
    alloc s f32 288 256 = 2 x64
    rec.f32 s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
    set_mask high=0x0 low=0x1
    adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1
  )";
  EXPECT_TRUE(admits(flow, 0, "1.501"));
  EXPECT_FALSE(admits(flow, 1, "1.5"));
}

/// asc-devkit, ReduceRepeat: the first of equal elements. Only a masked-off lane before it acts like the
/// sentinel.
TEST(AcceptSets, TheIndexOfAnInfiniteExtremeIsThatOfItsFirstLane) {
  const auto indexed = [](const std::string& data, const std::string& op, const std::string& mask) {
    return "profile ascendc-a2\nub 352\nalloc d f32 0 32\nalloc s f32 64 256 = " + data + "\n" + op +
           ".f32 d+0 rep=1, s+0 blk=1 rep=8, order=0, mask=" + mask + ", repeat=1";
  };
  const std::string full = "0x0:0xffffffffffffffff", without_0 = "0x0:0xfffffffffffffffe";
  EXPECT_TRUE(admits(indexed("5, inf x63", "cmax_index", full), 1, "0x1"));
  EXPECT_FALSE(admits(indexed("5, inf x63", "cmax_index", full), 1, "0x2"));
  EXPECT_FALSE(admits(indexed("5, inf x63", "cmax_index", without_0), 1, "0x0"));
  EXPECT_TRUE(admits(indexed("-inf x64", "cmax_index", full), 1, "0x0"));
  EXPECT_FALSE(admits(indexed("-inf x64", "cmax_index", full), 1, "0xd"));
  EXPECT_FALSE(admits(indexed("inf x64", "cmin_index", full), 1, "0xd"));
  EXPECT_TRUE(admits(indexed("-inf x64", "cmax_index", without_0), 1, "0x1"));
  EXPECT_TRUE(admits(indexed("-inf x64", "cmax_index", without_0), 1, "0x0"));
}

}  // namespace
}  // namespace lanecheck
