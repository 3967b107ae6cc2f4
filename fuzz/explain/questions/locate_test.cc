// Locating: the instruction, the lanes and the bytes by which a backend departs from the documents.
#include "fuzz/explain/questions/locate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// 64 elements of f32 fill one repeat. Lanes 0 and 2 are active for the second adds.
constexpr std::string_view kText = R"(
ub 576
alloc d f32 0 256 = 7 x64
alloc s f32 288 256 = 1 x64
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=1
set_mask high=0x0 low=0x5
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=4, repeat=1
)";

/// Runs as documented, then changes the byte at `at` if the program has three instructions.
Backend flipping_backend(std::size_t at) {
  return function_backend("flips", "", [at](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    if (program.instructions.size() == 3) state.ub[at] ^= std::byte{1};
    return Ran{};
  });
}

Finding located(const Backend& backend) {
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  Finding finding;
  finding.program = parse_program(kText, "test");
  locate(finding, asked, documented);
  return finding;
}

/// Where the elements of a scatter lie, its offsets say.
TEST(Locate, ShowsTheWrongLanesOfAScatter) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Backend loses = function_backend("loses", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    state.ub[8] = std::byte{0};  // lane 3
    return Ran{};
  });
  AskedBackend asked(loses, Profile::vmc);
  std::string offsets;
  for (int n = 0; n < 64; ++n) offsets += " " + std::to_string((n * 4 + 252) % 256);
  std::ranges::replace(offsets, ' ', ',');
  Finding finding;
  finding.program = parse_program(
      "ub 768\nalloc d u32 0 256 = 0 x64\nalloc s u32 256 256 = 7 x64\n"
      "alloc o u32 512 256 = " +
          offsets.substr(1) + "\nscatter.u32 d+0, s+0 rep=8, o+0, repeat=1\n",
      "test");
  locate(finding, asked, documented);
  ASSERT_EQ(finding.lanes.size(), 64u);
  for (const LaneRow& row : finding.lanes) EXPECT_EQ(row.agrees, row.lane != 3) << row.lane;
  EXPECT_TRUE(finding.outside.empty());
}

TEST(Locate, NamesTheFirstInstructionAfterWhichTheStateIsWrongAndItsLanes) {
  const Finding finding = located(flipping_backend(4 * sizeof(float)));
  EXPECT_EQ(finding.instruction, 2u);
  ASSERT_EQ(finding.lanes.size(), 64u);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(finding.lanes[lane].active, lane == 0 || lane == 2) << lane;
    EXPECT_EQ(finding.lanes[lane].agrees, lane != 4) << lane;
  }
  EXPECT_EQ(mask_word(finding.mask_before, 0), 5u);
  EXPECT_FALSE(finding.mask_differs);
  EXPECT_TRUE(finding.outside.empty());
}

/// Repeat r of dst starts r data blocks further, so that repeat 1 overwrites all but the first of repeat 0.
TEST(Locate, WhereRepeatsMeetALaneIsThatOfTheRepeatWhoseResultStays) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Backend loses = function_backend("loses", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    if (!program.instructions.empty()) state.ub[40] ^= std::byte{1};
    return Ran{};
  });
  AskedBackend asked(loses, Profile::vmc);
  Finding finding;
  finding.program = parse_program(
      "ub 1024\nalloc d f32 0 288 = 7 x72\nalloc s f32 320 512 = 1 x128\n"
      "adds.f32 d+0 blk=1 rep=1, s+0 blk=1 rep=8, scalar=2, repeat=2\n",
      "test");
  locate(finding, asked, documented);
  ASSERT_EQ(finding.lanes.size(), 72u);
  for (std::size_t n = 0; n < finding.lanes.size(); ++n) {
    const LaneRow& row = finding.lanes[n];
    EXPECT_EQ(row.repeat, n < 8 ? 0u : 1u) << n;
    EXPECT_EQ(row.lane, n < 8 ? n : n - 8) << n;
    EXPECT_EQ(row.agrees, row.repeat == 0 || row.lane != 2) << n;
  }
}

TEST(Locate, ListsAByteOutsideDstWithItsAllocation) {
  const Finding inside_s = located(flipping_backend(300));
  ASSERT_EQ(inside_s.outside.size(), 1u);
  EXPECT_EQ(inside_s.outside[0].allocation, "s");
  EXPECT_EQ(inside_s.outside[0].offset, 300u);
  const Finding in_guard = located(flipping_backend(260));
  ASSERT_EQ(in_guard.outside.size(), 1u);
  EXPECT_EQ(in_guard.outside[0].allocation, "");
  EXPECT_EQ(in_guard.outside[0].offset, 260u);
}

TEST(Locate, ShowsAByteOutsideDstAsItIsAfterTheInstruction) {
  const Backend backend = function_backend("mends", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    if (program.instructions.size() == 3) state.ub[300] ^= std::byte{1};
    if (program.instructions.size() > 3) state.ub[0] ^= std::byte{1};  // and byte 300 is right again
    return Ran{};
  });
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  Finding finding;
  finding.program = parse_program(std::string(kText) + "reset_mask\n", "test");
  locate(finding, asked, documented);
  ASSERT_EQ(finding.outside.size(), 1u);
  EXPECT_EQ(finding.outside[0].offset, 300u);
  EXPECT_NE(finding.outside[0].expected, finding.outside[0].actual);
}

TEST(Locate, SaysNothingOfAModeThatTheBackendDoesNotShow) {
  Backend backend =
      function_backend("hides its mode", "", [](const Program& program, State& state) -> Outcome {
        execute(program, Semantics{}, state);
        state.mask[3] ^= 1;
        state.mode = Mode::counter;
        return Ran{};
      });
  EXPECT_EQ(located(backend).actual.mode, Mode::counter);
  backend.shows_mode = false;
  const Finding finding = located(backend);
  EXPECT_TRUE(finding.mask_differs);
  EXPECT_EQ(finding.actual.mode, finding.expected.mode);
}

TEST(Locate, SeesAMaskThatDiffers) {
  const Finding finding =
      located(function_backend("loses the mask", "", [](const Program& program, State& state) -> Outcome {
        execute(program, Semantics{}, state);
        state.mask = kFullMask;
        return Ran{};
      }));
  EXPECT_EQ(finding.instruction, 1u) << "set_mask";
  EXPECT_TRUE(finding.mask_differs);
}

TEST(Locate, NamesNoInstructionIfTheBackendDoesNotRunAPartOfTheProgram) {
  const Backend whole_only = function_backend(
      "whole", "", [flips = flipping_backend(16)](const Program& program, State& state) -> Outcome {
        if (program.instructions.size() == 1) return Skipped{"no"};
        return flips.run(program, state);
      });
  const Finding finding = located(whole_only);
  EXPECT_EQ(finding.instruction, 3u);
  EXPECT_TRUE(finding.lanes.empty());
}

TEST(FirstDivergence, IsTheLengthOfTheShortestPrefixThatDiffers) {
  const Program program = parse_program(kText, "test");
  const auto longer_than = [](std::size_t count) {
    return [count](const Program& part) { return part.instructions.size() > count; };
  };
  EXPECT_EQ(first_divergence(program, [](const Program&) { return true; }), 0u);
  EXPECT_EQ(first_divergence(program, longer_than(1)), 2u);
  EXPECT_EQ(first_divergence(program, longer_than(3)), std::nullopt);
}

TEST(MaskDiffers, LooksOnlyAtWhatIsShown) {
  const State full, other{{}, Mask{}, Mode::counter};
  EXPECT_TRUE(mask_differs(full, other, {true, false}));
  EXPECT_TRUE(mask_differs(full, other, {false, true}));
  EXPECT_FALSE(mask_differs(full, other, {false, false}));
}

}  // namespace
}  // namespace lanecheck
