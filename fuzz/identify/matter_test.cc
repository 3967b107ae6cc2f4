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

TEST(Matter, AStrideOfZeroIsNoStart) {
  const Ask at_least_1 = with([](Instruction& i) {
    if (i.op == Op::add) i.operands[2].block_stride = std::max<std::uint32_t>(i.operands[2].block_stride, 1);
  });
  EXPECT_EQ(said_of(kBlocksMeet, at_least_1), "src1 of add.f32 takes a block stride of 0 as 1");
}

}  // namespace matter_test
}  // namespace lanecheck
