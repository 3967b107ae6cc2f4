// What a simulator keeps of the settings of one instruction for a later one is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace carried_settings_test {

/// The first instruction of a kind decides about setting 0 of all later ones.
Backend keeps_first_setting(Op op) {
  return function_backend("keeps", "", [op](const Program& given, State& state) -> Outcome {
    Program program = given;
    const auto first = std::ranges::find(program.instructions, op, &Instruction::op);
    for (Instruction& insn : program.instructions)
      if (insn.op == op) insn.settings[0] = first->settings[0];
    execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

TEST(CarriedSettings, AShiftDistance) {
  const Finding finding = named(R"(
profile ascendc-a2
ub 1024
alloc a i32 0 256 = 1 x64
alloc b i32 256 256 = 1 x64
alloc c i32 512 256 = 1 x64
shl.i32 a+0 blk=1 rep=8, a+0 blk=1 rep=8, by=1, repeat=1
shl.i32 b+0 blk=1 rep=8, c+0 blk=1 rep=8, by=2, repeat=1
)",
                                keeps_first_setting(Op::shl));
  EXPECT_EQ(
      finding.what,
      "shl.i32 takes the shift distance of the earlier shl.i32 (instruction 1) instead of its own, also if "
      "another shl.i32 comes between them");
  EXPECT_EQ(finding.id, "carried-setting");
}

/// The side of the first vpadding of each padMode counts for all later ones with that padMode.
TEST(CarriedSettings, APadSideThatIsKeptForEachPadMode) {
  const Backend keeps = function_backend("keeps", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (std::size_t n = 0; n < program.instructions.size(); ++n)
      for (std::size_t at = n; at-- > 0;) {
        const Instruction& earlier = program.instructions[at];
        Instruction& insn = program.instructions[n];
        if (insn.op == Op::vpadding && earlier.op == insn.op && earlier.settings[0] == insn.settings[0])
          insn.settings[1] = earlier.settings[1];
      }
    execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
  const Finding finding = named(R"(
profile ascendc-310p
ub 1024
alloc a i16 0 256 = 0 x128
alloc b i16 256 256 = 1 x127, 2
alloc c i16 512 256 = 0 x128
alloc d i16 768 256 = 134 x127, 64
vpadding.i16 a+0 blk=1 rep=8, b+0 blk=1 rep=8, mode=0, side=0, repeat=1
vpadding.i16 c+0 blk=1 rep=8, d+0 blk=1 rep=8, mode=0, side=1, repeat=1
)",
                                keeps);
  EXPECT_EQ(
      finding.what,
      "vpadding.i16 takes the padSide of the earlier vpadding.i16 (instruction 1) instead of its own, if "
      "both have the same padMode, also if another vpadding.i16 comes between them");
}

/// The count is that of the other pattern: GM-5-count is not broken.
TEST(CarriedSettings, APattern) {
  const Finding finding = named(R"(
profile ascendc-a2
ub 2048
alloc a i16 0 256 = 0 x128
alloc s i16 256 256 = 3 x64, 5 x64
alloc m u64 512 32
alloc b i16 544 256 = 0 x128
alloc t i16 800 256 = 3 x64, 5 x64
alloc n u64 1056 32
gather_mask.i16 a+0, s+0 blk=1 rep=8, m+0, pattern=3, counter=0, mask=0, repeat=1
gather_mask.i16 b+0, t+0 blk=1 rep=8, n+0, pattern=1, counter=0, mask=0, repeat=1
)",
                                keeps_first_setting(Op::gather_mask));
  EXPECT_EQ(finding.what,
            "gather_mask.i16 takes the pattern of the earlier gather_mask.i16 (instruction 1) instead of its "
            "own, also if another gather_mask.i16 comes between them");
  EXPECT_EQ(finding.rules, std::vector<std::string>());
}

/// Of another type, so that the calls that are measured do not show it.
TEST(CarriedSettings, ACountOfGatherMaskThatAddsUp) {
  const Backend adds_up =
      function_backend("adds up", "", [](const Program& program, State& state) -> Outcome {
        execute(prefix(program, 0), Semantics{}, state);
        std::uint64_t sum = 0;
        for (const Instruction& insn : program.instructions) {
          execute_one(program, insn, Semantics{}, state);
          if (!row_of(insn.op).compacts) continue;
          std::uint64_t count = 0;
          std::byte* const at = &state.ub[start_of(program, insn.operands[3])];
          std::memcpy(&count, at, sizeof count);
          sum += count;
          std::memcpy(at, &sum, sizeof sum);
        }
        return Ran{};
      });
  const Finding finding = named(R"(
profile ascendc-a2
ub 960
alloc a f16 0 32 = 0 x16
alloc b f16 32 32 = 0 x16
alloc c u8 64 32 = 1 x32
alloc d u64 96 32 = 0 x4
alloc e f32 128 256 = 0 x64
alloc f f32 384 256 = 0 x64
alloc g u8 640 32 = 0 x32
alloc h u64 672 32 = 0 x4
gather_mask_user.f16 a+0, b+0 blk=1 rep=0, c+0 rep=0, d+0, counter=1, mask=1, repeat=1
gather_mask_user.f32 e+0, f+0 blk=1 rep=8, g+0 rep=2, h+0, counter=0, mask=0, repeat=1
)",
                                adds_up);
  EXPECT_EQ(finding.what, "gather_mask_user.f32 adds the count of an earlier gather_mask to its own");
  EXPECT_TRUE(finding.id.starts_with("measured-places-")) << finding.id;
  EXPECT_EQ(finding.rules, std::vector<std::string>{"GM-5-count"});
}

}  // namespace carried_settings_test
}  // namespace lanecheck
