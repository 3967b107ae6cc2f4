// The smallest program on which two readings differ.
#include "fuzz/explain/smallest/difference.h"

#include <gtest/gtest.h>

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

TEST(SmallestDifference, OfTwoReadingsOfTheResultEndsInTwoStates) {
  const Readings one;
  Readings other;
  other.empty_reduction = EmptyReduction::writes_neutral;
  const auto program = smallest_difference(1, Mix{.profile = Profile::vmc}, one, other);
  ASSERT_TRUE(program);
  EXPECT_FALSE(find_fault(*program, one));
  EXPECT_FALSE(find_fault(*program, other));
  State state;
  execute(*program, Semantics(other), state);
  EXPECT_FALSE(compare(*program, Semantics(one), state, true).agrees);
  ASSERT_LE(program->instructions.size(), 2u) << print(*program);
  const Op op = program->instructions.back().op;
  EXPECT_TRUE(op == Op::cadd || op == Op::cgadd);
}

TEST(SmallestDifference, OfTwoReadingsOfLegalityIsLegalUnderOneOfThem) {
  const Readings one = default_readings(Profile::a2);
  Readings other = one;
  other.zero_mask = ZeroMask::no_op;
  const auto program = smallest_difference(1, Mix{.profile = Profile::a2}, one, other);
  ASSERT_TRUE(program);
  EXPECT_TRUE(find_fault(*program, one));
  EXPECT_FALSE(find_fault(*program, other));
  EXPECT_EQ(program->instructions.size(), 1u) << print(*program);
}

TEST(SmallestDifference, OfAPairSumIsOneInstruction) {
  const Readings one = default_readings(Profile::a2);
  Readings other = one;
  other.empty_pair = EmptyPair::writes_zero;
  ASSERT_NE(one.empty_pair, other.empty_pair);
  const auto program = smallest_difference(1, Mix{.profile = Profile::a2}, one, other);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->instructions.size(), 1u) << print(*program);
}

TEST(SmallestDifference, UsesOnlyInstructionsOnOffer) {
  const Readings one = default_readings(Profile::a2);
  Readings other = one;
  other.zero_mask = ZeroMask::no_op;
  const Capabilities only_add{false, {{"add", "", "", "", ""}}};
  const auto program = smallest_difference(1, Mix{.profile = Profile::a2}, one, other, only_add);
  ASSERT_TRUE(program);
  EXPECT_FALSE(program->instructions.empty());
  for (const Instruction& insn : program->instructions) EXPECT_EQ(insn.op, Op::add);
  const Capabilities nothing{false, {{"no_such_instruction", "", "", "", ""}}};
  EXPECT_FALSE(smallest_difference(1, Mix{.profile = Profile::a2}, one, other, nothing));
}

}  // namespace
}  // namespace lanecheck
