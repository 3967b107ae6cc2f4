// Fields that are carried only where the own value is a certain one.
#include "fuzz/explain/earlier/carried_condition.h"

#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace {

/// A scalar of 0 counts as not given.
TEST(CarriedCondition, AScalarThatIsKeptIfTheNextOneIs0) {
  const Finding finding = named(
      R"(
ub 512
alloc a f32 0 256 = 0 x64
alloc b f32 256 256 = 5 x64
dup.f32 a+0 blk=1 rep=8, scalar=3, repeat=1
dup.f32 b+0 blk=1 rep=8, scalar=0, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::dup && insn.scalar.bits == 0 && before != nullptr) insn.scalar = before->scalar;
      }));
  EXPECT_EQ(
      finding.what,
      "dup.f32 takes the scalar of the earlier dup.f32 (instruction 1) instead of its own, if its own is 0 "
      "(not if it is 5)");
  EXPECT_EQ(finding.id, "carried-scalar");
}

/// The lanes are right, and so is the mask: TIK-1-contiguous holds.
TEST(CarriedCondition, AScalarThatIsKeptBreaksNoRuleOfMasks) {
  const Finding finding = named(
      R"(
profile tik
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc c f16 512 256 = 0 x128
adds.f16 a+0 blk=1 rep=8, b+0 blk=1 rep=8, scalar=1, mask=128, repeat=1
adds.f16 c+0 blk=1 rep=8, b+0 blk=1 rep=8, scalar=0, mask=128, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::adds && insn.scalar.bits == 0 && before != nullptr) insn.scalar = before->scalar;
      }));
  EXPECT_EQ(finding.id, "carried-scalar") << finding.what;
  EXPECT_TRUE(finding.rules.empty()) << finding.rules.front();
}

/// Drawn elements are seldom between two scalars of one sign.
TEST(CarriedCondition, AScalarOfAComparisonThatIsKeptIfTheNextOneIs0) {
  const Finding finding = named(
      R"(
ub 640
alloc a u8 0 32 = 0 x32
alloc b u8 32 32 = 0 x32
alloc s f32 64 256 = 0 x64
alloc t f32 320 256 = 1 x64
compare_scalar.f32 a+0, s+0 blk=1 rep=8, scalar=1, gt, repeat=1
compare_scalar.f32 b+0, t+0 blk=1 rep=8, scalar=0, gt, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::compare_scalar && insn.scalar.bits == 0 && before != nullptr)
          insn.scalar = before->scalar;
      }));
  EXPECT_TRUE(
      finding.what.starts_with("compare_scalar.f32 takes the scalar of the earlier compare_scalar.f32 "
                               "(instruction 1) instead of its own, if its "
                               "own is 0 (not if it is "))
      << finding.what;
}

/// A cast in mode none takes the mode of the cast before it.
Backend keeps_mode_before_none() {
  return changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    const Instruction* const before = same_before(program, n);
    if (insn.op == Op::cast && insn.round == Round::none && before != nullptr) insn.round = before->round;
  });
}

TEST(CarriedCondition, ARoundModeThatIsKeptIfTheNextOneIsNone) {
  const Finding finding = named(
      R"(
ub 512
alloc a f16 0 128 = 0 x64
alloc b f16 128 128 = 0 x64
alloc s f32 256 256 = 1.000244140625 x64
cast.f16.f32 a+0 blk=1 rep=4, s+0 blk=1 rep=8, round=ceil, repeat=1
cast.f16.f32 b+0 blk=1 rep=4, s+0 blk=1 rep=8, round=none, repeat=1
)",
      keeps_mode_before_none());
  EXPECT_EQ(
      finding.what,
      "cast.f16.f32 takes the rounding mode of the earlier cast.f16.f32 (instruction 1) instead of its own, "
      "if its own is mode none (not if it is mode floor)");
}

/// On these data modes trunc and floor give the same: another mode shows that the condition holds.
TEST(CarriedCondition, ARoundModeThatFewOtherModesTellFromItsNext) {
  const Finding finding = named(
      R"(
ub 1024
alloc a f32 0 256 = 0 x64
alloc b f32 256 256 = 0 x64
alloc s i32 512 256 = 167966777 x64
cast.f32.i32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, round=trunc, repeat=1
cast.f32.i32 b+0 blk=1 rep=8, s+0 blk=1 rep=8, round=none, repeat=1
)",
      keeps_mode_before_none());
  EXPECT_TRUE(finding.what.ends_with("instead of its own, if its own is mode none (not if it is mode ceil)"))
      << finding.what;
}

TEST(CarriedCondition, RepeatTimesThatAreKeptIfTheNextOnesAre0) {
  const Finding finding = named(
      R"(
ub 512
alloc a f32 0 256 = 0 x64
alloc b f32 256 256 = 5 x64
dup.f32 a+0 blk=1 rep=8, scalar=3, repeat=1
dup.f32 b+0 blk=1 rep=8, scalar=3, repeat=0
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::dup && insn.repeat == 0 && before != nullptr) insn.repeat = before->repeat;
      }));
  EXPECT_TRUE(finding.what.ends_with("instead of its own, if its own is 0 (not if it is 2)")) << finding.what;
}

/// Nothing of a mask before is brought back: the high word stays, whatever the low word is.
TEST(CarriedCondition, AHighWordThatASecondSetMaskLeavesIsNoMaskThatComesBack) {
  const Finding finding = named(
      R"(
ub 32
alloc a i16 0 32 = 0 x16
set_mask high=0xffffffffffffffff low=0xffffffffffffffff
set_mask high=0xfffffffffffffffe low=0xffffffffffffffff
)",
      function_backend("leaves", "", [](const Program& program, State& state) -> Outcome {
        execute(prefix(program, 0), Semantics{}, state);
        for (std::size_t n = 0; n < program.instructions.size(); ++n) {
          Instruction insn = program.instructions[n];
          if (n > 0 && insn.op == Op::set_mask && program.instructions[n - 1].op == Op::set_mask)
            insn.high = mask_word(state.mask, 1);
          execute_one(program, insn, Semantics{}, state);
        }
        return Ran{};
      }));
  EXPECT_EQ(finding.what, "a set_mask directly after another one has no effect, in the high word alone");
  ASSERT_FALSE(finding.rules.empty());
  EXPECT_EQ(finding.rules[0], "VMC-2-high-word");
}

/// Where the first lanes hold the greatest element, a maximum that always counts lane 0 looks like one under
/// the mask of before.
TEST(CarriedCondition, AMaximumThatAlwaysCountsItsFirstLaneUsesNoOldMask) {
  const Finding finding = named(R"(
ub 512
alloc d i16 0 32 = 0 x16
alloc s i16 64 256 = -4099 x2, -32767 x126
set_mask high=0xffffffffffffffff low=0xfffffffffffffffc
cmax.i16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                changes([](const Program&, std::size_t, Instruction& insn, Mask& mask) {
                                  if (insn.op == Op::cmax) mask[0] = 1;
                                }));
  EXPECT_EQ(finding.what.find("mask that was there before"), std::string::npos) << finding.what;
}

}  // namespace
}  // namespace lanecheck
