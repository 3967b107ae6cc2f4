// What is said of an instruction that does nothing without repeat times, though it has a count
// (TIK-2-counter-repeats, SVM-2-repeats).
#include "fuzz/explain/measured/without_repeats.h"

#include <gtest/gtest.h>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// The oracle, which leaves out each instruction with repeat times of 0.
Backend looks_at_repeats() {
  return function_backend("returns", "", [](const Program& program, State& state) -> Outcome {
    Program some = program;
    std::erase_if(some.instructions,
                  [](const Instruction& insn) { return row_of(insn.op).has_repeat && insn.repeat == 0; });
    execute(some, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

TEST(WithoutRepeats, ACountOfItsOwn) {
  const Finding finding = named(R"(
profile tik
ub 512
alloc a f16 0 256 = 0 x128
alloc s f16 256 256 = 1 x128
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, count=8, repeat=scalar:0
)",
                                looks_at_repeats());
  EXPECT_EQ(finding.what, "adds.f16 writes nothing if its repeat times are 0, also for a count of its own");
  EXPECT_EQ(finding.rules.front(), "TIK-2-counter");
}

TEST(WithoutRepeats, CounterMode) {
  const Finding finding = named(R"(
profile ascendc-a2
ub 512
alloc a f16 0 256 = 0 x128
alloc s f16 256 256 = 1 x128
set_mask_count
set_vector_mask.f16 high=0x0 low=0x40
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=0
)",
                                looks_at_repeats());
  EXPECT_EQ(finding.what, "adds.f16 writes nothing if its repeat times are 0, also in counter mode");
}

/// The repeat times limit the repeats, also where they are more than 0: that is said, and not what follows.
TEST(WithoutRepeats, NothingIfRepeatTimesLimitTheRepeatsOfACount) {
  const Backend limits = function_backend("limits", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics(default_readings(program.profile)), state);
    for (const Instruction& insn : program.instructions) {
      const Mask mask = state.mask;
      const std::uint64_t most = std::uint64_t{insn.repeat} * lanes_of(insn);
      const bool is_limited =
          row_of(insn.op).has_repeat && state.mode == Mode::counter && mask_word(mask, 0) > most;
      if (is_limited) set_mask(state.mask, 0, most);
      execute_one(program, insn, Semantics(default_readings(program.profile)), state);
      if (is_limited) state.mask = mask;
    }
    return Ran{};
  });
  for (const std::string count : {"set_vector_mask.f16 high=0x0 low=0x40", "set_vector_mask_total len=64"}) {
    const Finding finding = named(
        "profile ascendc-a2\nub 512\nalloc a f16 0 256 = 0 x128\n"
        "alloc s f16 256 256 = 1 x128\nset_mask_count\n" +
            count + "\nadds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=0\n",
        limits);
    EXPECT_EQ(finding.what,
              "in counter mode adds.f16 runs at most its repeat times, however large the count n is; a count "
              "of its "
              "own is obeyed");
  }
}

/// SVM-4-operand-stays, as asc-devkit has it: the mask of an instruction stays, whatever its repeat times
/// are.
TEST(WithoutRepeats, AMaskOfItsOwnStays) {
  const Finding finding = named(R"(
profile ascendc-a2
ub 512
alloc a i32 0 256 = 0 x64
alloc s i32 256 256 = 1 x64
shr.i32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, by=1, mask=64, repeat=0
)",
                                looks_at_repeats());
  EXPECT_EQ(finding.what,
            "shr.i32 does not put its own mask into the mask register if its repeat times are 0");
}

}  // namespace
}  // namespace lanecheck
