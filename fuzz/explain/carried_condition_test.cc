// Fields that are carried only where the own value is a certain one.
#include "fuzz/explain/carried_testing.h"

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
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::cast && insn.round == Round::none && before != nullptr) insn.round = before->round;
      }));
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
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::cast && insn.round == Round::none && before != nullptr) insn.round = before->round;
      }));
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

}  // namespace
}  // namespace lanecheck
