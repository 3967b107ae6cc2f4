// Gates that are wrong in some shapes or under some registers alone.
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace gate_shapes_test {

TEST(GateShapes, AFastPathForOperandsInARow) {
  const Ask fills = with([](Instruction& insn) {
    if (insn.op != Op::dup || insn.operands[0].block_stride != 1 || insn.operands[0].repeat_stride != 8)
      return;
    insn.mask_from = MaskFrom::contiguous;
    insn.low = lanes_of(insn);
  });
  Subject subject = subject_of("dup.f32", Profile::tik);
  subject = in_a_row(subject, 2);
  Program program;
  program.profile = Profile::tik;
  program.instructions = {subject.insn};
  const auto found = identify(program, 0, fills, false, true).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(),
            "dup.f32 ignores the mask: all lanes are written whatever it is, if its operands lie in a row "
            "(block stride "
            "1, no gap between repeats)");
}

/// The register that a program starts with has ones behind the lanes of a 32-bit type; masks of its own have
/// none.
TEST(GateShapes, SlotsBehindTheLanesThatOddRepeatsUse) {
  const Ask high = with_single_repeats([](Instruction& one, const Instruction&, unsigned repeat) {
    if (repeat % 2 == 0 || one.mask_from == MaskFrom::reg) return;
    one.mask_from = MaskFrom::bitwise;
    one.low = one.high;
  });
  const std::string text = first_said("abs.f32", high);
  EXPECT_NE(text.find("in odd repeats"), std::string::npos) << text;
  EXPECT_NE(text.find("under the register of ones that a program starts with it is right"), std::string::npos)
      << text;
}

}  // namespace gate_shapes_test
}  // namespace lanecheck
