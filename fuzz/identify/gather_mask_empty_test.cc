// Faults of gather_mask_user where its pattern keeps nothing in one repeat, and behind an earlier
// gather_mask.
#include <cstring>

#include "fuzz/identify/gather_mask/gather_mask_map.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// Does the pattern of repeat `r` keep nothing?
bool is_empty(const Program& program, const Instruction& insn, unsigned r) {
  const auto pattern = std::span(program.ub)
                           .subspan(start_of(program, insn.operands[2]) + r * repeat_step(insn, 2),
                                    kRepeatBytes / size_of(insn.src_type) / 8);
  return std::ranges::all_of(pattern, [](std::byte each) { return each == std::byte{0}; });
}

/// GM: the repeats behind one that keeps nothing are gathered like the others.
TEST(GatherMaskEmpty, EndsWithTheFirstRepeatThatKeepsNothing) {
  const Ask ends = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed)
      for (Instruction& insn : program.instructions)
        for (unsigned r = 0;
             insn.op == Op::gather_mask_user && setting(insn, "counter") == 0 && r < insn.repeat; ++r)
          if (is_empty(program, insn, r)) insn.repeat = r + 1;
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  for (const Profile profile : {Profile::a2, Profile::p310})
    for (const std::string name : {"gather_mask_user.f16", "gather_mask_user.u32"}) {
      const auto found = gather_mask_differences(subject_of(name, profile), ends);
      ASSERT_FALSE(found.empty()) << name;
      EXPECT_TRUE(found[0].sentence().starts_with(
          name + " ends with the first repeat in which its pattern keeps nothing"))
          << found[0].sentence();
    }
}

/// GM: it returns 0 if it performs no repeat.
TEST(GatherMaskEmpty, NoCountIsWrittenWithoutARepeat) {
  const Ask returns_early = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op == Op::gather_mask && insn.repeat == 0 && setting(insn, "counter") == 0)
      state.ub = program.ub;
  });
  Subject subject = subject_of("gather_mask.i32", Profile::p310);
  subject.insn.repeat = 0;
  const auto found = gather_mask_differences(subject, returns_early);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].what, "gather_mask.i32 writes no count if its repeat times are 0");
}

/// GM: of a part of four elements too, each one is looked at.
TEST(GatherMaskEmpty, ElementsBehindTheLastGroupOfFourByPatternsOfFour) {
  const Ask by_four = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed)
      for (Instruction& insn : program.instructions)
        if (insn.op == Op::gather_mask && setting(insn, "counter") != 0 && setting(insn, "pattern") >= 3 &&
            setting(insn, "pattern") <= 6) {
          std::uint32_t& mask = insn.settings[*setting_index(row_of(insn.op), "mask")];
          mask -= mask % 4;
        }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  const auto found = gather_mask_differences(subject_of("gather_mask.f32", Profile::p310), by_four);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(
      found[0].what,
      "gather_mask.f32 leaves out what its mask argument counts after the last whole group of 4 elements, "
      "in its counter mode, by patterns 3 to 6");
}

/// GM-6: with a mask argument of 0 too, normal mode is on afterwards.
TEST(GatherMaskEmpty, AMaskArgumentOf0ThatLeavesCounterModeOn) {
  const Ask leaves = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Semantics semantics(default_readings(given.profile));
      State& state = batch.states[n];
      execute(Program{given.profile, given.allocations, {}, given.ub}, semantics, state);
      for (const Instruction& insn : given.instructions) {
        const Mode before = state.mode;
        execute_one(given, insn, semantics, state);
        if (row_of(insn.op).compacts && setting(insn, "counter") == 0) state.mode = before;
      }
      batch.outcomes[n] = Ran{};
    }
  };
  Subject subject = subject_of("gather_mask_user.u16", Profile::p310);
  subject.insn.settings[*setting_index(row_of(subject.insn.op), "mask")] = 0;
  const auto found = identify(subject, leaves).differences;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], "gather_mask_user.u16 leaves counter mode on instead of switching to normal mode");
}

/// GM-5: nothing behind the kept elements is written. The rest of their data block, or another element,
/// becomes 0.
TEST(GatherMaskEmpty, ElementsBehindThoseThatItKeeps) {
  const auto clears = [](bool whole_block) {
    return then([whole_block](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      if (insn.op != Op::gather_mask) return;
      std::uint64_t kept = 0;
      std::memcpy(&kept, &state.ub[start_of(program, insn.operands[2])], sizeof kept);
      const std::size_t start = start_of(program, insn.operands[0]), size = size_of(insn.src_type);
      const std::size_t first = kept * size, end = whole_block ? (first + 31) / 32 * 32 : first + size;
      std::fill(state.ub.begin() + static_cast<std::ptrdiff_t>(start + first),
                state.ub.begin() + static_cast<std::ptrdiff_t>(start + end), std::byte{0});
    });
  };
  const auto of = [](const Ask& ask) {
    const auto found = gather_mask_differences(subject_of("gather_mask.f16", Profile::a2), ask);
    return found.empty() ? "" : found[0].sentence();
  };
  const std::string changes =
      "gather_mask.f16 keeps the right elements and changes what stands behind them in dst";
  EXPECT_EQ(of(clears(true)), changes + ", up to the end of their data block");
  EXPECT_EQ(of(clears(false)), changes);
}

/// GM-5-dense: the results of each instruction start where its own dst starts.
TEST(GatherMaskEarlier, ResultsLieBehindThoseOfAnEarlierOne) {
  const Ask goes_on = with_program([](Program& program) {
    const std::size_t last = program.instructions.size() - 1;
    if (last == 0 || !row_of(program.instructions[last - 1].op).compacts) return;
    Program before = program;
    before.instructions.pop_back();
    State state;
    execute(before, Semantics(default_readings(program.profile)), state);
    std::uint64_t count = 0;
    std::memcpy(&count, &state.ub[start_of(program, before.instructions.back().operands[3])], sizeof count);
    Instruction& insn = program.instructions.back();
    insn.operands[0].offset += static_cast<std::uint32_t>(count * size_of(insn.dst_type));
  });
  for (const Profile profile : {Profile::a2, Profile::p310}) {
    const auto found = gather_mask_differences(subject_of("gather_mask_user.f32", profile), goes_on);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].sentence(),
              "gather_mask_user.f32 leaves room in dst for as many elements as an earlier gather_mask kept, "
              "and puts "
              "what it keeps behind them");
    EXPECT_TRUE(found[0].of_earlier);
  }
}

}  // namespace
}  // namespace lanecheck
