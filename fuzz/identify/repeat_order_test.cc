// In which order repeats and data blocks are executed, where several of them write one place.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace repeat_order_test {

TEST(RepeatOrder, AnEarlierRepeatStaysWhereRepeatsMeet) {
  Program program{Profile::vmc, {}, {in_a_row(subject_of("add.f32"), 2).insn}, {}};
  program.instructions[0].operands[0].repeat_stride = 0;
  const Ask first_stays = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& each : changed) {
      Instruction& insn = each.instructions.back();
      if (insn.repeat == 2 && insn.operands[0].repeat_stride == 0) insn.repeat = 1;
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  const auto found = identify(program, 0, first_stays, false, true);
  ASSERT_FALSE(found.differences.empty());
  EXPECT_EQ(
      found.differences[0],
      "where several repeats of add.f32 write one place, the result of the first repeat stays instead of the "
      "last one, as if the repeats ran in reverse order (seen with the strides of this case)");
}

/// The loops are exchanged: a data block runs through all repeats. Where repeats meet in the same data block,
/// the last one stays, as it should.
TEST(RepeatOrder, DataBlocksRunThroughAllRepeats) {
  const Ask by_block = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& each : changed) {
      const Instruction insn = each.instructions.back();
      if (insn.op != Op::add || insn.repeat < 2) continue;
      each.instructions.pop_back();
      const Mask mask = mask_of(each);
      for (unsigned block = 0; block < kRepeatBlocks; ++block)
        for (unsigned r = 0; r < insn.repeat; ++r) {
          const std::uint64_t lanes = std::uint64_t{0xff} << (8 * block);
          each.instructions.push_back(mask_setter(Op::set_mask, {0, mask_word(mask, 0) & lanes}));
          each.instructions.push_back(one_repeat(insn, r));
        }
      each.instructions.push_back(mask_setter(Op::set_mask, {mask_word(mask, 1), mask_word(mask, 0)}));
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  Program program{Profile::vmc, {}, {in_a_row(subject_of("add.f32"), 3).insn}, {}};
  program.instructions[0].operands[0].repeat_stride = 2;
  const auto found = identify(program, 0, by_block, false, true);
  ASSERT_FALSE(found.differences.empty());
  EXPECT_EQ(found.differences[0],
            "where several repeats of add.f32 write one place, the result of the first repeat stays instead "
            "of the last "
            "one, as if the repeats ran in reverse order, or each data block ran through all repeats before "
            "the next "
            "block did (seen with the strides of this case)");
}

/// Repeats that may not meet are written behind each other: elements change that the documents leave alone.
TEST(RepeatOrder, RepeatsThatLieElsewhereAreNotInAnotherOrder) {
  const Ask apart = with([](Instruction& insn) {
    if (insn.op == Op::brcb) insn.operands[0].repeat_stride = std::max(insn.operands[0].repeat_stride, 8U);
  });
  Program program{Profile::vmc, {}, {in_a_row(subject_of("brcb.u32"), 3).insn}, {}};
  program.instructions[0].operands[0].repeat_stride = 0;
  for (const std::string& each : identify(program, 0, apart, false, true).differences)
    EXPECT_EQ(each.find("order"), std::string::npos) << each;
}

}  // namespace repeat_order_test
}  // namespace lanecheck
