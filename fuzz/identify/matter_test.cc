// The kind of a fault: arithmetic is not called an address, an order of writes is not called a stride, and a
// stride is not called a start.
#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace matter_test {

Identification measured(const std::string& name, const Ask& ask) {
  return identify(subject_of(name), ask);
}

/// What is said of the last instruction of this program.
std::string said_of(const std::string& text, const Ask& ask) {
  const auto found = identify(parse_program(text, "test"), 0, ask, Shown(false), true);
  return found.differences.empty() ? "" : found.differences[0];
}

TEST(Matter, SwappedOperandsAreArithmetic) {
  const auto found = measured("sub.i8", with([](Instruction& i) {
                                if (i.op == Op::sub) std::swap(i.operands[1], i.operands[2]);
                              }));
  ASSERT_FALSE(found.parts.empty());
  EXPECT_EQ(found.parts[0].map, MapKind::values) << found.differences[0];
}

TEST(Matter, AnotherFactorIsArithmetic) {
  const auto found = measured("lrelu.f16", with([](Instruction& i) {
                                if (i.op == Op::lrelu) i.op = Op::vmaxs;
                              }));
  ASSERT_FALSE(found.parts.empty());
  EXPECT_EQ(found.parts[0].map, MapKind::values) << found.differences[0];
}

constexpr const char* kBlocksMeet = R"(
ub 1024
alloc d f32 0 32 = 0 x8
alloc s f32 32 256 = 1 x64
alloc t f32 288 32 = 1 x8
add.f32 d+0 blk=0 rep=0, s+0 blk=1 rep=8, t+0 blk=0 rep=0, repeat=1
)";

TEST(Matter, TheOrderOfLanesIsNoStride) {
  const Ask first_stays = with([](Instruction& i) {
    if (i.op == Op::add && i.operands[0].block_stride == 0)
      i.operands[1].block_stride = i.operands[2].block_stride = 0;
  });
  EXPECT_EQ(said_of(kBlocksMeet, first_stays),
            "where several lanes of a repeat of add.f32 write one place, the result of the first lane stays "
            "instead of the last one (seen with the strides of this case)");
}

/// The data blocks of a repeat in reverse order, so that those of the first lanes stay.
TEST(Matter, TheOrderOfLanesIsNoOtherSource) {
  const Ask reversed = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program apart = batch.programs[n];  // dst in blocks of its own, behind UB
      const Instruction insn = apart.instructions.back();
      const bool meets = !row_of(insn.op).operands.empty() && insn.operands[0].block_stride == 0;
      const auto behind = static_cast<std::uint32_t>(apart.ub.size() + 31) / 32 * 32;
      if (meets) {
        apart.ub.resize(behind + std::size_t{256} * insn.repeat);
        apart.allocations.push_back({"apart", insn.dst_type, behind, 256 * insn.repeat});
        Operand& dst = apart.instructions.back().operands[0];
        dst = {.allocation = static_cast<std::uint16_t>(apart.allocations.size() - 1)};
        dst.block_stride = 1;
        dst.repeat_stride = 8;
      }
      ask_oracle()({{&apart, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::vector<std::byte>& ub = batch.states[n].ub;
      const std::uint32_t dst = meets ? start_of(batch.programs[n], insn.operands[0]) : 0;
      for (unsigned r = 0; meets && r < insn.repeat; ++r)
        std::copy_n(ub.begin() + behind + 256 * r, 32,
                    ub.begin() + dst + 32 * r * insn.operands[0].repeat_stride);
      ub.resize(batch.programs[n].ub.size());
    }
  };
  const std::string ends =
      " write one place, the result of the first lane stays instead of the last one (seen with the strides "
      "of this "
      "case)";
  EXPECT_EQ(said_of("ub 512\nalloc d bf16 0 32 = 0 x16\nalloc s bf16 32 32 = 1 x16\n"
                    "brcb.bf16 d+0 blk=0 rep=8, s+0, repeat=1\n",
                    reversed),
            "where several lanes of a repeat of brcb.bf16" + ends);
  EXPECT_EQ(
      said_of("ub 1024\nalloc d i16 0 32 = 0 x16\nalloc c u8 32 32 = 0 x32\nalloc s i16 64 256 = 1 x128\n"
              "alloc t i16 320 256 = 2 x128\n"
              "select.i16 d+0 blk=0 rep=8, c+0, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1\n",
              reversed),
      "where several lanes of a repeat of select.i16" + ends);
}

TEST(Matter, AStrideOfZeroIsNoStart) {
  const Ask at_least_1 = with([](Instruction& i) {
    if (i.op == Op::add) i.operands[2].block_stride = std::max<std::uint32_t>(i.operands[2].block_stride, 1);
  });
  EXPECT_EQ(said_of(kBlocksMeet, at_least_1), "src1 of add.f32 takes a block stride of 0 as 1");
}

}  // namespace matter_test
}  // namespace lanecheck
