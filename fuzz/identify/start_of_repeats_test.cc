// An operand that starts too late: by a number of data blocks, by one of its own repeat strides, or not at
// all, because its block stride is what is wrong.
#include <utility>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace start_of_repeats_test {

/// Operand `k` of `op` starts `strides` of its repeat strides later, and `blocks` data blocks more.
Ask starts_later(Op op, unsigned k, std::uint32_t strides, std::uint32_t blocks = 0) {
  return with([=](Instruction& insn) {
    if (insn.op != op) return;
    insn.operands[k].offset += (strides * insn.operands[k].repeat_stride + blocks) * kBlockBytes;
  });
}

TEST(StartOfRepeats, EachRepeatReadsWhatTheNextOneMustRead) {
  EXPECT_EQ(said("scatter.i16", starts_later(Op::scatter, 1, 1)),
            "src of scatter.i16 starts one repeat stride later");
  EXPECT_EQ(said("abs.f16", starts_later(Op::abs, 1, 1)), "src of abs.f16 starts one repeat stride later");
  EXPECT_EQ(said("cgmax.f16", starts_later(Op::cgmax, 1, 1)),
            "src of cgmax.f16 starts one repeat stride later");
}

TEST(StartOfRepeats, ANumberOfDataBlocksIsNoRepeatStride) {
  EXPECT_EQ(said("abs.f16", starts_later(Op::abs, 1, 0, 8)), "src of abs.f16 starts 8 data blocks later");
}

TEST(StartOfRepeats, ABlockStrideThatIsOneMoreIsNoLaterStartOfAReductionWithOneResult) {
  for (const char* const name : {"cadd.f16", "cmax.f32", "cmin.i16"})
    EXPECT_EQ(
        said(name, with([](Instruction& insn) {
               if (row_of(insn.op).mask == MaskUse::neutral_source) ++insn.operands[1].block_stride;
             })),
        std::string("src of ") + name + " walks with a block stride that is one more than what is given");
}

TEST(StartOfRepeats, ExchangedStridesAreSaidOfReductionsToo) {
  for (const char* const name : {"cmax.i16", "cmin.f32", "cadd.f16", "cgmax.i16"})
    EXPECT_EQ(said(name, with([](Instruction& insn) {
                     if (row_of(insn.op).mask == MaskUse::neutral_source)
                       std::swap(insn.operands[1].block_stride, insn.operands[1].repeat_stride);
                   })),
              std::string("src of ") + name + " exchanges block stride and repeat stride");
}

}  // namespace start_of_repeats_test
}  // namespace lanecheck
