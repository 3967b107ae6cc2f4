// Results that are written into a source, too: a view in place of a copy.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace written_source_test {

/// `op` writes its results into operand `k` as well; `in_a_row`: only if that lies in a row; `all_lanes`:
/// those of masked-off lanes, too.
Ask writes_into(Op op, unsigned k, bool in_a_row, bool all_lanes) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      State& state = batch.states[n];
      ask_oracle()({{&program, 1}, {&state, 1}, batch.outcomes.subspan(n, 1)});
      const Instruction& insn = program.instructions.back();
      if (insn.op != op || (in_a_row && !lies_in_a_row(insn, k))) continue;
      Program full = program;
      full.instructions = {insn};
      State all = {};
      ask_oracle()({{&full, 1}, {&all, 1}, batch.outcomes.subspan(n, 1)});
      const Mask mask = mask_of(program);
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          if (!all_lanes && mask[lane % 128] == 0) continue;
          const auto place = [&](unsigned operand) {
            return start_of(program, insn.operands[operand]) + lane_offset(insn, operand, r, lane);
          };
          std::copy_n(all.ub.data() + place(0), size_of(insn.dst_type), state.ub.data() + place(k));
        }
    }
  };
}

TEST(WrittenSource, SaysInWhichLanesAndWhen) {
  EXPECT_EQ(said("vmin.f16", writes_into(Op::vmin, 1, true, true)),
            "vmin.f16 writes its results into src0, too, whatever the mask is, if src0 lies in a row");
  EXPECT_EQ(said("mul.f32", writes_into(Op::mul, 2, false, false)),
            "mul.f32 writes its results into src1, too");
}

}  // namespace written_source_test
}  // namespace lanecheck
