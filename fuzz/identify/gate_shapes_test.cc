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

/// The same for masks in the register, which has the words to tell what decides.
TEST(GateShapes, SlotsBehindTheLanesOfAReduction) {
  const Ask high = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Mask mask = mask_of(batch.programs[n]);
      const Ask single = with_single_repeats([&](Instruction& one, const Instruction&, unsigned repeat) {
        if (!row_of(one.op).has_repeat) return;
        one.mask_from = MaskFrom::bitwise;
        one.high = 0;
        one.low = mask_word(mask, repeat % 2);
      });
      single({batch.programs.subspan(n, 1), batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  for (const std::string name : {"cadd.f32", "cgmax.f32", "abs.f32"})
    EXPECT_EQ(first_said(name, high),
              "lanes 0..63 of " + name +
                  " are gated by slots 64..127 instead of 0..63 in every odd repeat (counted "
                  "from 0)");
}

/// A main loop without the mask, and a tail with it.
TEST(GateShapes, AMaskThatOnlyTheLastRepeatObeys) {
  const Ask loop = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (!row_of(one.op).has_repeat || repeat + 1 == whole.repeat) return;
    one.mask_from = MaskFrom::contiguous;
    one.low = lanes_of(one);
  });
  EXPECT_EQ(first_said("relu.f16", loop),
            "relu.f16 ignores the mask: all lanes are written whatever it is in every repeat but the last");
}

}  // namespace gate_shapes_test
}  // namespace lanecheck
