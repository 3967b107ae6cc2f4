// A field of an earlier instruction that is not taken any more behind a third instruction. Expected: what
// each simulator here keeps, and what makes it forget.
#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace ended_by_test {

constexpr const char* kTwoScalars = R"(
ub 1024
alloc a f32 0 256 = 0 x64
alloc b f32 256 256 = 5 x64
alloc s f32 512 256 = 5 x64
muls.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=1
muls.f32 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=1
)";

/// Keeps the first scalar of instructions with one until `ends` is true of an instruction.
Backend keeps_scalar_until(const std::function<bool(const Instruction&, const Instruction& kept)>& ends) {
  return changes([ends](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    const Instruction* kept = nullptr;
    for (std::size_t at = 0; at <= n; ++at) {
      const Instruction& each = program.instructions[at];
      if (kept != nullptr && ends(each, *kept)) kept = nullptr;
      if (kept == nullptr && row_of(each.op).has_scalar) kept = &each;
    }
    if (row_of(insn.op).has_scalar) insn.scalar = kept->scalar;
  });
}

std::string said(const Backend& backend) {
  return named(kTwoScalars, backend).what;
}

constexpr const char* kTaken =
    "muls.f32 takes the scalar of the earlier muls.f32 (instruction 1) instead of its own";
constexpr const char* kAlso = ", also if another muls.f32 comes between them";

TEST(EndedBy, AMaskInstruction) {
  EXPECT_EQ(said(keeps_scalar_until([](const Instruction& insn, const Instruction&) {
              return row_of(insn.op).mask == MaskUse::is_mask_state;
            })),
            std::string(kTaken) + ", not if set_mask comes between them" + kAlso);
}

TEST(EndedBy, AnInstructionOfAnotherType) {
  EXPECT_EQ(said(keeps_scalar_until([](const Instruction& insn, const Instruction& kept) {
              return insn.src_type != kept.src_type && row_of(insn.op).has_scalar;
            })),
            std::string(kTaken) +
                ", if both have the same number of lanes, not if muls.f16 comes between them" + kAlso);
}

TEST(EndedBy, AnyInstructionWithoutAScalar) {
  EXPECT_EQ(said(keeps_scalar_until(
                [](const Instruction& insn, const Instruction&) { return !row_of(insn.op).has_scalar; })),
            std::string(kTaken) + ", not if set_mask or add.f16 comes between them" + kAlso);
}

/// The scalar is that of the last instruction with one: nothing ends it.
TEST(EndedBy, NothingIfTheScalarIsThatOfTheThirdInstruction) {
  const Backend keeps = changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    for (std::size_t at = 0; at < n; ++at)
      if (row_of(insn.op).has_scalar && program.instructions[at].op == insn.op)
        insn.scalar = program.instructions[at].scalar;
  });
  EXPECT_EQ(said(keeps), kTaken);
}

}  // namespace ended_by_test
}  // namespace lanecheck
