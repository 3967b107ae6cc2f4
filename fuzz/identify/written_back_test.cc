// What is said of masked-off lanes that write old content of dst.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"

namespace lanecheck {
namespace {

/// The oracle, whose masked-off lanes put back what stood in dst before the repeat, or before the
/// instruction.
Ask writing_back(bool of_repeat) {
  return [of_repeat](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction insn = given.instructions.back();
      const bool resets = std::ranges::count(given.instructions, Op::reset_mask, &Instruction::op) > 0;
      if ((insn.op != Op::add && insn.op != Op::exp) || resets) continue;
      const Mask mask = mask_of(given);
      const std::size_t size = size_of(insn.dst_type);
      std::vector<std::byte> ub = given.ub;
      for (unsigned r = 0; r < insn.repeat; ++r) {
        const std::vector<std::byte> old = of_repeat ? ub : given.ub;
        Program apart = given;  // this repeat alone, with its results in a row behind UB
        apart.instructions = {one_repeat(insn, r)};
        apart.instructions[0].operands[0] = {static_cast<std::uint16_t>(apart.allocations.size()), 0, 1, 8};
        apart.allocations.push_back({"apart", insn.dst_type, static_cast<std::uint32_t>(given.ub.size()),
                                     lanes_of(insn) * size_of(insn.dst_type)});
        apart.ub.resize(given.ub.size() + lanes_of(insn) * size);
        State state;
        Outcome outcome;
        ask_oracle()({{&apart, 1}, {&state, 1}, {&outcome, 1}});
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t at = start_of(given, insn.operands[0]) + lane_offset(insn, 0, r, lane);
          std::memcpy(&ub[at], mask[lane] != 0 ? &state.ub[given.ub.size() + lane * size] : &old[at], size);
        }
      }
      batch.states[n].ub = std::move(ub);
    }
  };
}

TEST(WrittenBack, OldDstOfTheInstruction) {
  EXPECT_EQ(said("add.f32", writing_back(false)),
            "add.f32 leaves what stood in dst before the instruction where a masked-off lane comes after an "
            "active one at "
            "the same place, as if masked-off lanes wrote it back");
}

/// The upper lanes of an 8-bit type are always active.
TEST(WrittenBack, OldDstOfTheInstructionWhereTheMaskReachesHalfOfTheLanes) {
  EXPECT_EQ(said("add.u8", writing_back(false)),
            "add.u8 leaves what stood in dst before the instruction where a masked-off lane comes after an "
            "active one "
            "at the same place, as if masked-off lanes wrote it back");
}

TEST(WrittenBack, OldDstOfTheRepeat) {
  EXPECT_EQ(said("exp.f16", writing_back(true)),
            "exp.f16 leaves what stood in dst before the repeat where a masked-off lane comes after an "
            "active one at the "
            "same place, as if masked-off lanes wrote it back");
}

}  // namespace
}  // namespace lanecheck
