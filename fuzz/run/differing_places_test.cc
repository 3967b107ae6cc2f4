// A case is counted where its answer differs, and only if the answer tells which instruction was wrong.
#include "fuzz/run/differing_places.h"

#include <gtest/gtest.h>

#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// Repeat 1 of the first adds begins at byte 256 of d; the second one writes e.
constexpr std::string_view kTwo = R"(
ub 1024
alloc d f32 0 512
alloc e f32 512 256
alloc s f32 768 256 = 1 x64
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=0, scalar=2, repeat=2
adds.f32 e+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=1
)";

/// The map of a case in which these bytes are wrong.
HeatMap map_of(std::string_view text, const std::vector<std::uint32_t>& wrong) {
  const Program program = parse_program(text, "test");
  HeatMap heat;
  const State state{program.ub};
  count_places(heat, program, Readings{}, state, state, wrong, true);
  return heat;
}

TEST(DifferingPlaces, AWrongByteIsItsElementInTheRepeatAndLaneOfDst) {
  const HeatMap heat = map_of(kTwo, {256 + 5 * 4 + 3});
  ASSERT_EQ(heat.cases, 1u);
  EXPECT_EQ(heat.at(1, 5), (Heat{1, 1}));
  EXPECT_EQ(heat.at(1, 6), (Heat{0, 1}));
  EXPECT_EQ(heat.at(0, 5), (Heat{0, 1}));
  EXPECT_EQ(heat.at(2, 5), (Heat{0, 0}));
  EXPECT_EQ(heat.in_block[5], (Heat{1, 1}));
  EXPECT_EQ(heat.to_last[0], (Heat{1, 1}));
  EXPECT_EQ(heat.lanes(), 64u);
}

TEST(DifferingPlaces, TheFirstInstructionWithAWrongElementCounts) {
  const HeatMap both = map_of(kTwo, {0, 512 + 8});
  EXPECT_EQ(both.at(0, 0), (Heat{1, 1}));
  EXPECT_EQ(both.at(0, 2), (Heat{0, 1}));
  const HeatMap second = map_of(kTwo, {512 + 8});
  EXPECT_EQ(second.at(0, 2), (Heat{1, 1}));
  EXPECT_EQ(second.at(1, 0), (Heat{0, 0})) << "it has one repeat";
}

TEST(DifferingPlaces, AnElementThatTwoInstructionsWriteTellsNothing) {
  constexpr std::string_view text = R"(
ub 768
alloc d f32 0 512
alloc s f32 512 256 = 1 x64
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=0, scalar=2, repeat=2
adds.f32 d+256 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=1
)";
  EXPECT_TRUE(map_of(text, {256}).empty());
  EXPECT_EQ(map_of(text, {252}).at(0, 63), (Heat{1, 1}));
}

TEST(DifferingPlaces, ARepeatOverTheSameElementsDoesNotHaveThemAgain) {
  constexpr std::string_view text = R"(
ub 512
alloc d f32 0 256
alloc s f32 256 256 = 1 x64
adds.f32 d+0 blk=1 rep=0, s+0 blk=1 rep=0, scalar=2, repeat=3
)";
  const HeatMap heat = map_of(text, {4});
  EXPECT_EQ(heat.at(0, 1), (Heat{1, 1}));
  EXPECT_EQ(heat.at(1, 1), (Heat{0, 0}));
}

TEST(DifferingPlaces, AWrongByteOutsideOfEveryDstIsNotCounted) {
  EXPECT_TRUE(map_of(kTwo, {768}).empty());
}

TEST(DifferingPlaces, TheMaskIsCountedIfItIsShown) {
  const Program program = parse_program("ub 32\nset_mask high=0x0 low=0x1\n", "test");
  State expected{program.ub}, actual{program.ub};
  actual.mask[70] = 0;
  HeatMap hidden, shown;
  count_places(hidden, program, Readings{}, expected, actual, {}, false);
  EXPECT_TRUE(hidden.empty());
  count_places(shown, program, Readings{}, expected, actual, {}, true);
  EXPECT_EQ(shown.mask_cases, 1u);
  EXPECT_EQ(shown.slots[70], 1u);
}

TEST(DifferingPlaces, OfManyCasesOneIn16IsCounted) {
  FailedCase failed(0, parse_program(kTwo, "test"), {});
  failed.answers.push_back({Ran{}, {failed.program.ub}});  // the adds should have written 3 everywhere
  const Documented documented(Profile::vmc, Readings{}, {});
  Finding finding;
  for (; finding.cases < 3'000; ++finding.cases)
    if (counts_next_places(finding) || finding.cases % 500 == 1)
      count_places(finding, failed, documented, true);
  EXPECT_EQ(finding.heat.cases, 2'000u + 1'000u / 16 + 1);
  EXPECT_EQ(finding.heat.at(1, 63), (Heat{finding.heat.cases, finding.heat.cases}));
}

TEST(DifferingPlaces, AProgramThatIsNotTheCasesOwnIsNotCounted) {
  FailedCase failed(0, parse_program(kTwo, "test"), {});
  failed.answers.push_back({Ran{}, {failed.program.ub}});
  const Documented documented(Profile::vmc, Readings{}, {});
  Finding finding;
  failed.apart = true;
  count_places(finding, failed, documented, true);
  EXPECT_TRUE(finding.heat.empty());
}

TEST(DifferingPlaces, BytesThatDifferAreFoundBitForBit) {
  State one{std::vector<std::byte>(8)}, other = one;
  other.ub[3] = other.ub[7] = std::byte{1};
  EXPECT_EQ(differing_bytes(one, other), (std::vector<std::uint32_t>{3, 7}));
}

}  // namespace
}  // namespace lanecheck
