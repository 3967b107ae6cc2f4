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

/// In counter mode, a backend that runs at most the given repeat times.
TEST(CompareMask, TheRepeatTimesOfCounterModeAreNamed) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Semantics semantics(default_readings(program.profile));
      State& state = batch.states[n];
      state = {program.ub, kFullMask, Mode::normal, {}};
      for (const Instruction& insn : program.instructions) {
        const Mask mask = state.mask;
        const std::uint64_t most = std::uint64_t{insn.repeat} * lanes_of(insn);
        if (insn.op == Op::select_cmpmask && state.mode == Mode::counter && mask_word(mask, 0) > most)
          execute_one(program, mask_instruction(Op::set_vector_mask, {0, most}), semantics, state);
        if (insn.op != Op::select_cmpmask || most > 0) execute_one(program, insn, semantics, state);
        if (insn.op == Op::select_cmpmask) state.mask = mask;
      }
      batch.outcomes[n] = Ran{};
    }
  };
  const Program program = parse_program(
      "profile ascendc-a2\nub 1088\nalloc bits u8 0 32\nalloc dst f16 32 256\nalloc src0 f16 320 256\n"
      "alloc src1 f16 608 256 = 1 x128\n"
      "set_mask_count\nset_vector_mask_total len=1\nset_cmpmask bits+0\n"
      "select_cmpmask.f16 dst+0 blk=1 rep=8, src0+0 blk=1 rep=8, src1+0 blk=1 rep=8, repeat=0",
      "program");
  const auto found = identify(program, 3, ask, false, false);
  ASSERT_FALSE(found.differences.empty());
  EXPECT_EQ(found.differences.front(),
            "in counter mode select_cmpmask.f16 runs at most its repeat times, however large the count n is");
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
            "select_cmpmask.f16 takes src0 where the bit of the compare mask is 0, and src1 where it is 1");
}

TEST(CompareMask, ACopyOfItsFirstBytesIsNamed) {
  const auto keeps_high = [](const State& before, State& state) {
    for (unsigned n = 8; n < 16; ++n) state.cmpmask[n] = before.cmpmask[n];
  };
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::set_cmpmask, keeps_high)),
            "set_cmpmask and get_cmpmask behind it give others than those of src for bytes 8..15");
}

/// By asc-devkit, Select, a select_bits leaves its control bits in the compare mask.
TEST(CompareMask, BitsThatASelectDoesNotLoadAreNamed) {
  const auto keeps_high = [](const State& before, State& state) {
    for (unsigned n = 8; n < 16; ++n) state.cmpmask[n] = before.cmpmask[n];
  };
  const auto keeps_all = [](const State& before, State& state) { state.cmpmask = before.cmpmask; };
  const std::string before = " of the compare mask are what they were before";
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::select_bits, keeps_high)),
            "after select_bits, bits 64..127" + before);
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::select_bits, keeps_all)),
            "after select_bits, all bits" + before);
}

/// A compare with its bits in UB has nothing to do with the compare mask.
TEST(CompareMask, ACompareThatChangesTheCompareMaskIsNamed) {
  const auto clears = [](const State&, State& state) { state.cmpmask = {}; };
  for (const std::string name : {"get_cmpmask", "select_cmpmask.f32"})
    EXPECT_EQ(first_said(name, after_each(Op::compare, clears)),
              "after compare, all bits of the compare mask are 0");
}

TEST(CompareMask, AGetThatClearsTheBitsIsNamed) {
  const auto clears = [](const State&, State& state) { state.cmpmask = {}; };
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::get_cmpmask, clears)),
            "after get_cmpmask, all bits of the compare mask are 0");
  EXPECT_EQ(first_said("get_cmpmask", after_each(Op::select_cmpmask, clears)),
            "after select_cmpmask, all bits of the compare mask are 0");
}

}  // namespace
}  // namespace lanecheck
