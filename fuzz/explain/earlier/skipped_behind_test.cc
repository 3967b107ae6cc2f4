// An instruction that is not executed because of the one before it.
#include "fuzz/explain/earlier/skipped_behind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace {

/// Behind a reduction whose lanes are all off nothing is executed. Slots 0..63 are off: only under another
/// mask it shows that no lane at all is written.
TEST(SkippedBehind, AReductionWithoutActiveLanes) {
  const Finding finding = named(
      R"(
ub 1120
alloc d f32 0 32 = 5 x8
alloc s f32 32 256 = 1 x64
alloc e u8 288 256 = 0 x256
alloc a u8 544 256 = 9 x256
alloc b u8 800 256 = 4 x256
set_mask high=0xffffffffffffffff low=0x0
cmax.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
sub.u8 e+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction&, Mask& mask) {
        const auto computes = [](const Instruction& insn) {
          return row_of(insn.op).mask != MaskUse::is_mask_state;
        };
        while (n > 0 && !computes(program.instructions[n - 1])) --n;
        if (n == 0 || row_of(program.instructions[n - 1].op).mask != MaskUse::neutral_source) return;
        const auto lanes =
            static_cast<std::ptrdiff_t>(std::min(lanes_of(program.instructions[n - 1]), kMaskSlots));
        Mask met = kFullMask;  // by the reduction
        for (std::size_t at = 0; at + 1 < n; ++at) {
          if (program.instructions[at].op == Op::reset_mask) met = kFullMask;
          if (program.instructions[at].op == Op::set_mask)
            for (unsigned slot = 0; slot < 128; ++slot)
              met[slot] =
                  has_slot({program.instructions[at].high, program.instructions[at].low}, slot) ? 1 : 0;
        }
        if (std::none_of(met.begin(), met.begin() + lanes, [](auto slot) { return slot != 0; })) mask = {};
      }));
  EXPECT_EQ(finding.what,
            "sub.u8 does nothing behind the earlier cmax.f32 (instruction 2), if that has no active lane");
  EXPECT_EQ(finding.id, "carried-skipped-elementwise");
}

/// With a scalar of 1 that was kept, a product in place is what stood there before.
TEST(SkippedBehind, IsNotSaidOfAScalarThatWasKept) {
  const Finding finding = named(R"(
ub 576
alloc a i8 0 256 = 0 x256
alloc b u8 288 256 = 1 x256
muls.i8 a+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=1, repeat=1
muls.u8 b+0 blk=1 rep=8, b+0 blk=1 rep=8, scalar=0, repeat=1
)",
                                changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
                                  const auto* earlier = same_before(program, n);
                                  if (earlier != nullptr && insn.op == Op::muls && insn.scalar.bits == 0)
                                    insn.scalar.bits = earlier->scalar.bits;
                                }));
  EXPECT_EQ(finding.what.find("does nothing"), std::string::npos) << finding.what;
  EXPECT_NE(finding.what.find("takes the scalar of the earlier muls.i8"), std::string::npos) << finding.what;
}

}  // namespace
}  // namespace lanecheck
