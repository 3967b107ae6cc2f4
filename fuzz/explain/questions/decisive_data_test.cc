// Decisive data makes every wrongly treated lane visible. The test looks through the lane rows of a finding.
#include <gtest/gtest.h>

#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// Some instructions are exceptions by nature: dup and brcb give neighbours the same value, a packed result
// bit has only two values, results of reductions may coincide, and strides of 0 read the same element twice.
TEST(DecisiveData, MakesEveryActiveResultDifferFromItsOldValueAndItsNeighbour) {
  Mix mix;
  mix.with_boundaries = false;
  mix.wild_in_sixteen = 0;
  Program program;
  std::uint64_t judged = 0;
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    ASSERT_EQ(generate(5, index, mix, program), Kind::decisive);
    State state{program.ub, kFullMask};
    for (const Instruction& insn : program.instructions) {
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      const Row& row = row_of(insn.op);
      const bool gated = row.mask == MaskUse::gates_writeback;
      if (!gated && row.mask != MaskUse::neutral_source) continue;
      const Operand& dst = insn.operands[0];
      if (gated && (dst.block_stride == 0 || dst.repeat_stride <= 7 * dst.block_stride)) continue;
      if (!gated && (dst.repeat_stride == 0)) continue;
      const bool neighbours = gated && row.form != Form::dup;
      const auto lanes = lane_rows(program, insn, default_readings(program.profile), before, state, state);
      for (std::size_t n = 0; n < lanes.size(); ++n) {
        if (!lanes[n].active) continue;
        ++judged;
        ASSERT_NE(lanes[n].expected, lanes[n].old_bits) << index << ": " << print_instruction(program, insn);
        if (neighbours && n > 0 && lanes[n - 1].active && lanes[n - 1].repeat == lanes[n].repeat) {
          ASSERT_NE(lanes[n].expected, lanes[n - 1].expected)
              << index << ": " << print_instruction(program, insn);
        }
      }
    }
  }
  EXPECT_GT(judged, 1'000'000u);
}

}  // namespace
}  // namespace lanecheck
