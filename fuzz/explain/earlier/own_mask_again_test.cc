// A mask operand that is not set again.
#include "fuzz/explain/earlier/own_mask_again.h"

#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace {

/// Has the closest instruction before `n` with a mask operand of this form the same mask?
bool is_again(const Program& program, std::size_t n, MaskFrom form) {
  const Instruction& insn = program.instructions[n];
  for (std::size_t at = n; insn.mask_from == form && at-- > 0;) {
    const Instruction& before = program.instructions[at];
    if (before.mask_from == form) return before.low == insn.low && before.high == insn.high;
  }
  return false;
}

/// Sets a mask operand of this form only if the one before was another one. What is left in the register
/// afterwards is as documented.
Backend not_again(MaskFrom form) {
  return function_backend("not again", "", [form](const Program& program, State& state) -> Outcome {
    const Semantics semantics(default_readings(program.profile));
    execute(prefix(program, 0), semantics, state);
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
      Instruction insn = program.instructions[n];
      State documented = state;
      execute_one(program, insn, semantics, documented);
      if (is_again(program, n, form)) insn.mask_from = MaskFrom::reg;
      execute_one(program, insn, semantics, state);
      state.mask = documented.mask;
    }
    return Ran{};
  });
}

constexpr std::string_view kAllocations = R"(
profile ascendc-310p
ub 768
alloc a i16 0 256 = 0 x128
alloc b i16 256 256 = 0 x128
alloc c i16 512 256 = 0 x128
)";

TEST(OwnMaskAgain, AContiguousMask) {
  const Finding finding = named(std::string(kAllocations) + R"(
dup.i16 a+0 blk=1 rep=8, scalar=1, mask=127, repeat=1
dup.i16 b+0 blk=1 rep=8, scalar=1, count=128, repeat=1
dup.i16 c+0 blk=1 rep=8, scalar=2, mask=127, repeat=1
)",
                                not_again(MaskFrom::contiguous));
  EXPECT_EQ(finding.what,
            "dup.i16 does not set its contiguous mask again if it is that of the earlier dup.i16 "
            "(instruction 1): it "
            "runs under what stands in the mask register by then");
  EXPECT_EQ(finding.matter, Matter::mask);
}

TEST(OwnMaskAgain, ABitwiseMask) {
  const Finding finding = named(std::string(kAllocations) + R"(
dup.i16 a+0 blk=1 rep=8, scalar=1, mask=0xffff:0xff, repeat=1
dup.i16 b+0 blk=1 rep=8, scalar=1, mask=3, repeat=1
dup.i16 c+0 blk=1 rep=8, scalar=2, mask=0xffff:0xff, repeat=1
)",
                                not_again(MaskFrom::bitwise));
  EXPECT_TRUE(
      finding.what.starts_with("dup.i16 does not set its bitwise mask again if it is that of the earlier"))
      << finding.what;
}

/// GM leaves an empty mask, which no instruction can set.
TEST(OwnMaskAgain, AContiguousMaskAfterAnEmptyOne) {
  const Finding finding = named(R"(
profile ascendc-310p
ub 1568
alloc t6 i32 0 256
alloc t7 f32 288 256
alloc t8 f32 576 256
alloc t9 u8 864 32
alloc t10 u64 928 32
alloc t14 i32 992 256
alloc t15 i32 1280 256 = 1 x64
adds.i32 t6+0 blk=1 rep=8, t6+0 blk=1 rep=8, scalar=3, mask=64, repeat=1
gather_mask_user.f32 t7+0, t8+0 blk=1 rep=8, t9+0 rep=2, t10+0, counter=0, mask=0, repeat=1
muls.i32 t14+0 blk=1 rep=8, t15+0 blk=1 rep=8, scalar=3, mask=64, repeat=1
)",
                                not_again(MaskFrom::contiguous));
  EXPECT_EQ(finding.what,
            "muls.i32 does not set its contiguous mask again if it is that of the earlier adds.i32 "
            "(instruction 1): it runs under what stands in the mask register by then");
  EXPECT_EQ(finding.id, "carried-mask");
}

}  // namespace
}  // namespace lanecheck
