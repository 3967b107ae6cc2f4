// A wrong stride is called that of another operand only if it follows the other operand.
#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

TEST(StrideOwner, OfAnotherOperandIfItFollows) {
  EXPECT_EQ(
      said("add.i8", with([](Instruction& i) { i.operands[1].block_stride = i.operands[2].block_stride; })),
      "src0 of add.i8 walks with block stride 1 (that of src1) instead of 3 (repeat 3, each operand with "
      "strides of its own)");
  EXPECT_EQ(said("sqrt.f32",
                 with([](Instruction& i) { i.operands[1].repeat_stride = i.operands[0].repeat_stride; })),
            "src of sqrt.f32 walks with repeat stride 9 (that of dst) instead of 8");
}

TEST(StrideOwner, OfNoOperandIfItIsAConstant) {
  EXPECT_EQ(
      said("add.i8", with([](Instruction& i) { i.operands[1].block_stride = 1; })),
      "src0 of add.i8 walks with block stride 1 instead of 3 (repeat 3, each operand with strides of its "
      "own)");
  EXPECT_EQ(said("compare_scalar.f32", with([](Instruction& i) { i.operands[1].block_stride = 1; })),
            "src of compare_scalar.f32 walks with block stride 1 instead of 3 (repeat 3, each operand with "
            "strides of its own)");
}

}  // namespace
}  // namespace lanecheck
