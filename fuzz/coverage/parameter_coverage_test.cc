// The generator has no blind spots: each class of values of each parameter of each instruction comes up,
// except where a reason says why no legal program has it.
#include "fuzz/coverage/parameter_coverage.h"

#include <gtest/gtest.h>

#include "fuzz/generate/generate_testing.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kCases = 30'000;

class ParameterTable : public testing::TestWithParam<Profile> {};

TEST_P(ParameterTable, HasNoEmptyCellExceptThoseWithAReason) {
  const auto cells = parameter_cells(GetParam(), 1, kCases);
  ASSERT_FALSE(cells.empty());
  for (const ParameterCell& cell : cells) {
    EXPECT_FALSE(cell.is_blind_spot()) << describe(cell) << " was not reached";
    EXPECT_FALSE(cell.reached && !cell.reason.empty())
        << describe(cell) << " was reached, although " << cell.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Generator, ParameterTable, testing::ValuesIn(kEveryProfile), test_name_of);

SeenClasses classes_of(std::string_view text, Op op) {
  std::vector<SeenClasses> seen;
  const Program program = parse_program(text, "test");
  add_classes(program, default_readings(program.profile), seen);
  return seen[static_cast<std::size_t>(op)];
}

TEST(ParameterClasses, AreReadOffTheInstructions) {
  const SeenClasses seen = classes_of(
      "ub 16384\n"
      "alloc d f32 0 1024\n"
      "alloc a f32 1056 1024 = -0 x8, inf x248\n"
      "alloc b f32 2112 12000 = 1 x3000\n"
      "set_mask high=0x0 low=0xffffffffffffff00\n"
      "add.f32 d+0 blk=1 rep=8, a+0 blk=0 rep=8, b+0 blk=9 rep=200, repeat=2\n",
      Op::add);
  const auto of = [&seen](Parameter p) { return seen.of[static_cast<std::size_t>(p)]; };
  EXPECT_EQ(of(Parameter::repeat), 1u << 2);
  EXPECT_EQ(of(Parameter::mask), 1u << 3 | 1u << 4) << "one block is off; only the low word is used";
  EXPECT_EQ(of(Parameter::in_place), 1u << 0);
  EXPECT_EQ(of(Parameter::source_strides), 1u << 1 | 1u << 2);
  EXPECT_EQ(of(Parameter::dst_block), 1u << 1);
  EXPECT_EQ(of(Parameter::src0_block), 1u << 0);
  EXPECT_EQ(of(Parameter::src1_block), 1u << 3);
  EXPECT_EQ(of(Parameter::src1_repeat), 1u << 3);
  EXPECT_EQ(of(Parameter::src0_value), 1u << 1 | 1u << 4) << "blocks of -0 and of infinity";
}

TEST(ParameterClasses, KnowADstThatIsASource) {
  const auto in_place = [](std::string_view operands) {
    const std::string text =
        "ub 1024\nalloc d f32 0 256\nalloc a f32 288 256\nadd.f32 d+0 blk=1 rep=0, " + std::string(operands);
    return classes_of(text, Op::add).of[static_cast<std::size_t>(Parameter::in_place)];
  };
  EXPECT_EQ(in_place("d+0 blk=1 rep=0, a+0 blk=1 rep=0, repeat=1\n"), 1u << 1);
  EXPECT_EQ(in_place("a+0 blk=1 rep=0, d+0 blk=1 rep=0, repeat=1\n"), 1u << 2);
  EXPECT_EQ(in_place("a+0 blk=1 rep=0, d+0 blk=1 rep=0, repeat=2\n"), 1u << 3);
}

}  // namespace
}  // namespace lanecheck
