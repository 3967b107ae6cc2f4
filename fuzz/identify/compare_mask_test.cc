// Faults of the instructions that pass their bits through the compare mask, and the sentences about them. By
// asc-devkit, Compare to register, a masked-off lane keeps its bit.
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// The oracle, with `change(before, state)` behind each instruction `op`.
template <class Change>
Ask after_each(Op op, Change change) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Semantics semantics(default_readings(program.profile));
      State& state = batch.states[n];
      state = {program.ub, kFullMask, Mode::normal, {}};
      for (const Instruction& insn : program.instructions) {
        const State before = state;
        execute_one(program, insn, semantics, state);
        if (insn.op == op) change(before, state);
      }
      batch.outcomes[n] = Ran{};
    }
  };
}

TEST(CompareMask, ARightBackendHasNoDifference) {
  for (const char* const name :
       {"compare_cmpmask.f16", "compare_cmpmask.f32", "select_cmpmask.f16", "select_cmpmask.f32"})
    EXPECT_EQ(first_said(name, ask_oracle()), "") << name;
}

TEST(CompareMask, ACompareThatIgnoresItsMaskIsNamed) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op != Op::compare_cmpmask) return;
    insn.mask_from = MaskFrom::contiguous;
    insn.high = 0;
    insn.low = lanes_of(insn);
  });
  EXPECT_EQ(first_said("compare_cmpmask.f16", ask),
            "compare_cmpmask.f16 ignores its mask: masked-off lanes write their bits too");
}

TEST(CompareMask, BitsThatItMustKeepAreNamed) {
  const auto sets_behind = [](const State&, State& state) {
    for (unsigned n = 8; n < 16; ++n) state.cmpmask[n] = std::byte(0xff);
  };
  EXPECT_EQ(first_said("compare_cmpmask.f32", after_each(Op::compare_cmpmask, sets_behind)),
            "compare_cmpmask.f32 sets the bits of the compare mask behind its lanes");
  const auto keeps_high = [](const State& before, State& state) {
    for (unsigned n = 8; n < 16; ++n) state.cmpmask[n] = before.cmpmask[n];
  };
  EXPECT_EQ(first_said("compare_cmpmask.f16", after_each(Op::compare_cmpmask, keeps_high)),
            "compare_cmpmask.f16 never writes the bits of lanes 64..127");
}

TEST(CompareMask, TheWalkOfASourceIsNamed) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op == Op::compare_cmpmask) insn.operands[1].block_stride = insn.operands[0].block_stride;
  });
  EXPECT_EQ(first_said("compare_cmpmask.f16", ask),
            "src1 of compare_cmpmask.f16 walks with the block stride of src0 instead of its own");
}

TEST(CompareMask, AModeThatIsTakenForAnotherOneIsNamed) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op == Op::compare_cmpmask && insn.compare == Compare::ge) insn.compare = Compare::gt;
  });
  EXPECT_EQ(first_said("compare_cmpmask.f32", ask), "compare_cmpmask.f32 compares in mode ge as in mode gt");
}

TEST(CompareMask, ASelectThatTakesOtherBitsIsNamed) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op == Op::select_cmpmask) std::swap(insn.operands[1], insn.operands[2]);
  });
  EXPECT_EQ(first_said("select_cmpmask.f16", ask),
            "select_cmpmask.f16 takes src0 where the bit of control is 0, and src1 where it is 1");
}

TEST(CompareMask, ACopyOfItsFirstBytesIsNamed) {
  const auto keeps_high = [](const State& before, State& state) {
    for (unsigned n = 8; n < 16; ++n) state.cmpmask[n] = before.cmpmask[n];
  };
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::set_cmpmask, keeps_high)),
            "set_cmpmask and get_cmpmask behind it give others than those of src for bytes 8..15");
}

}  // namespace
}  // namespace lanecheck
