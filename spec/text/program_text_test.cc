// Programs as text: what is written here is what a reader of the README would write.
#include "spec/text/program_text.h"

#include <gtest/gtest.h>

#include <cstring>

#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

constexpr std::string_view kAdds = R"(ub 512
alloc dst f32 0 256 = 7 x64
alloc src f32 256 256 = 1 x64
set_mask high=0x0 low=0x1
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1
)";

TEST(ProgramText, AProgramIsReadFieldByField) {
  const Program program = parse_program(kAdds, "adds.txt");
  EXPECT_EQ(program.profile, Profile::vmc);
  ASSERT_EQ(program.ub.size(), 512u);
  float first = 0, last = 0;
  std::memcpy(&first, program.ub.data(), 4);
  std::memcpy(&last, program.ub.data() + 508, 4);
  EXPECT_EQ(first, 7);
  EXPECT_EQ(last, 1);
  ASSERT_EQ(program.allocations.size(), 2u);
  EXPECT_EQ(program.allocations[1], (Allocation{"src", Element::f32, 256, 256}));
  ASSERT_EQ(program.instructions.size(), 2u);
  EXPECT_EQ(program.instructions[0].op, Op::set_mask);
  EXPECT_EQ(program.instructions[0].low, 1u);
  const Instruction& adds = program.instructions[1];
  EXPECT_EQ(adds.op, Op::adds);
  EXPECT_EQ(adds.dst_type, Element::f32);
  EXPECT_EQ(adds.operands[0], (Operand{0, 0, 1, 8}));
  EXPECT_EQ(adds.operands[1], (Operand{1, 0, 1, 8}));
  EXPECT_EQ(adds.scalar, (Scalar{0x40000000, 2}));
  EXPECT_EQ(adds.repeat, 1u);
  EXPECT_EQ(adds.mask_from, MaskFrom::reg);
}

TEST(ProgramText, AProgramPrintsAsItWasWritten) {
  for (const std::string_view text : {kAdds, std::string_view(R"(profile ascendc-a2
ub 1024
alloc d f16 0 256
alloc s f16 256 512 = 0 x2, 1.5, -0, 0x7e01 x3, inf
add.f16 d+32 blk=1 rep=8, s+0 blk=2 rep=0, s+64 blk=0 rep=65535, mask=5, repeat=0
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=1 rep=8, mask=0x0:0xff, repeat=2
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=1 rep=8, count=300, repeat=1
cast.f32.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, round=none, repeat=1
compare.f16 d+0, s+0 blk=1 rep=8, s+0 blk=1 rep=8, lt, repeat=1
)"),
                                      std::string_view(R"(profile tik
ub 256
alloc d i32 0 256 = -2147483648, 1 x63
abs.f32 d+0 blk=1 rep=8, d+0 blk=1 rep=8, mask=0x1:0x0, repeat=scalar:3
)")})
    EXPECT_EQ(print(parse_program(text, "x")), text);
}

TEST(ProgramText, SpacesCommentsAndHexadecimalNumbersAreRead) {
  const Program program = parse_program(R"(
  # a comment
  ub 0x200   # UB of 512 bytes

  alloc dst f32 0 0x100 =7 x64
	alloc src f32 256 256 = 1 x64
set_mask   high=0   low=1
adds.f32 dst+0 blk=1 rep=8 ,src+0 blk=1 rep=8,scalar=2,repeat=1)",
                                        "x");
  EXPECT_EQ(print(program), kAdds);
}

TEST(ProgramText, TheLinesOfAFindingAreAProgram) {
  EXPECT_EQ(
      print(parse_program("  1  set_mask high=0x0 low=0x1\n"
                          "  2  adds.f32 t2+0 blk=1 rep=8, t3+0 blk=1 rep=8, scalar=2, repeat=1   <- differs "
                          "after this\n"
                          "  t2 f32[64] = 0 everywhere\n"
                          "  t3 f32[64] = 1, 2 x63\n",
                          "x")),
      "ub 544\n"
      "alloc t2 f32 0 256\n"
      "alloc t3 f32 288 256 = 1, 2 x63\n"
      "set_mask high=0x0 low=0x1\n"
      "adds.f32 t2+0 blk=1 rep=8, t3+0 blk=1 rep=8, scalar=2, repeat=1\n");
}

struct BadText {
  const char *text, *says;
};

TEST(ProgramText, AMistakeIsReportedWithFileAndLine) {
  const BadText kBad[] = {
      {"", "t: no 'ub BYTES' line, and no allocation"},
      {"alloc d f32 0 32\nub 64", "t:2: 'ub BYTES' must stand before the first allocation"},
      {"alloc d f32 0 196640", "t:1: bytes must be a number up to 196608"},
      {"t0 f32[4] = 1, 2, ... 3 more runs",
       "t:1: the report shows a part of the data of t0 only; `lanecheck run"},
      {"t0 f32[4] = 1 x5", "t:1: data of t0: more than its 4 elements"},
      {"ub -1", "t:1: ub must be a number up to 196608"},
      {"ub 196609", "t:1: ub must be a number up to 196608"},
      {"profile cuda", "t:1: no such profile; there are: vmc"},
      {"ub 64\nalloc 1st f32 0 32", "t:2: not a name: 1st"},
      {"ub 64\nalloc d f32 0 32\nalloc d f32 32 32", "t:3: a second allocation named d"},
      {"ub 64\nalloc d f99 0 32", "t:2: expected an element type after the name of d"},
      {"ub 64\nalloc d f32 32 64", "t:2: allocation d does not fit in UB, which 'ub BYTES' makes larger"},
      {"ub 64\nalloc d f32 0 32 7", "t:2: expected '= DATA' after the size of d"},
      {"ub 64\nalloc d f32 0 32 = seven", "t:2: data of d: 'seven': expected a value of type f32"},
      {"ub 64\nalloc d f32 0 32 = 1 x9", "t:2: data of d: more than its 8 elements"},
      {"ub 64\n\nfrobnicate d+0", "t:3: no such instruction: frobnicate; `lanecheck offers` lists them"},
      {"ub 64\nadds.f99 d+0", "t:2: 'f99' is no type of adds; there are: adds.f16, adds.f32, "},
      {"ub 64\nadds d+0", "t:2: adds needs its element types; there are: adds.f16, "},
      {"ub 64\nset_mask.f16", "t:2: 'f16' is no type of set_mask; write it without types"},
      {"ub 64\nset_mask high=0x0", "t:2: expected low=NUMBER"},
      {"ub 64\nabs.f32",
       "t:2: dst is missing: write NAME+OFFSET, where NAME is that of an earlier line such"},
      {"ub 64\nabs.f32 e+0 blk=1 rep=8",
       "t:2: dst names no allocation: e; the name is that of an earlier line such as 'alloc t0 f32 0 256 = 7 "
       "x64'"},
      {"ub 64\nalloc d f32 0 32\nabs.f32 d+0 rep=8", "t:3: expected blk=NUMBER"},
      {"ub 64\nalloc d f32 0 32\nabs.f32 d+0 blk=1 rep=8 7", "t:3: unexpected '7' after an operand"},
      {"ub 64\nalloc d f32 0 32\nadds.f32 d+0 blk=1 rep=8, d+0 blk=1 rep=8, scalar=x, repeat=1",
       "t:3: expected scalar=VALUE of type f32"},
      {"ub 64\nalloc d f32 0 32\ncast.f32.f16 d+0 blk=1 rep=8, d+0 blk=1 rep=8, round=up, repeat=1",
       "t:3: expected round=none, rint, floor, ceil, round, trunc or odd"},
      {"ub 64\nalloc d f32 0 32\ncompare.f32 d+0, d+0 blk=1 rep=8, d+0 blk=1 rep=8, less, repeat=1",
       "t:3: expected eq, ne, lt, le, gt or ge"},
      {"ub 64\nalloc d f32 0 32\nabs.f32 d+0 blk=1 rep=8, d+0 blk=1 rep=8, repeat=4294967296",
       "t:3: repeat must be a number up to 4294967295"},
      {"ub 64\nalloc d f32 0 32\nabs.f32 d+0 blk=1 rep=8, d+0 blk=1 rep=8, repeat=1, mask=5",
       "t:3: unexpected 'mask=5' at the end"},
  };
  for (const auto& [text, says] : kBad) {
    try {
      parse_program(text, "t");
      ADD_FAILURE() << "was read: " << text;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(says)) << text << "\n" << error.what();
    }
  }
}

TEST(ProgramText, DataIsShownAsRunsWithoutTheZerosAtItsEnd) {
  const std::uint16_t values[] = {0, 0, 1, 2, 2, 2, 0, 0};
  const auto* data = reinterpret_cast<const std::byte*>(values);
  EXPECT_EQ(print_runs(Element::u16, data, 16), (std::vector<std::string>{"0 x2", "1", "2 x3"}));
  EXPECT_EQ(print_runs(Element::u16, data, 4), std::vector<std::string>{});
  EXPECT_EQ(print_runs(Element::u32, data, 16), (std::vector<std::string>{"0", "131073", "131074"}));
}

TEST(ProgramText, RunsFillAnAllocationFromItsBeginning) {
  const Allocation allocation{"d", Element::i8, 0, 4};
  std::byte data[4] = {};
  EXPECT_EQ(parse_runs(allocation, {"-1 x2", "0x7f"}, data), "");
  EXPECT_EQ(std::to_integer<int>(data[0]), 255);
  EXPECT_EQ(std::to_integer<int>(data[1]), 255);
  EXPECT_EQ(std::to_integer<int>(data[2]), 127);
  EXPECT_EQ(std::to_integer<int>(data[3]), 0);
  EXPECT_EQ(parse_runs(allocation, {"1 x5"}, data), "data of d: more than its 4 elements");
  EXPECT_EQ(parse_runs(allocation, {"1 x18446744073709551615"}, data), "data of d: more than its 4 elements");
  for (const char* bad : {"128", "1 y2", "1 x", "1 2", "x2"})
    EXPECT_NE(parse_runs(allocation, {bad}, data), "") << bad;
}

}  // namespace
}  // namespace lanecheck
