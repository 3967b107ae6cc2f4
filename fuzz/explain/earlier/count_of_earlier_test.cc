// What the count of an earlier instruction does to a later one.
#include "fuzz/explain/earlier/count_of_earlier.h"

#include <gtest/gtest.h>

#include <map>

#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// In counter mode the first instruction alone writes.
Backend uses_up_the_count() {
  return function_backend("uses up", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    bool is_over = false;
    for (const Instruction& insn : program.instructions) {
      const bool counts = state.mode == Mode::counter && !row_of(insn.op).operands.empty();
      if (counts && is_over) continue;
      execute_one(program, insn, Semantics(default_readings(program.profile)), state);
      is_over = is_over || counts;
    }
    return Ran{};
  });
}

TEST(CountOfEarlier, TheCountInTheRegisterIsUsedUp) {
  const Finding finding = named(R"(
profile ascendc-a2
ub 1024
alloc a f32 0 256 = 2 x64
alloc b f32 256 256 = 3 x64
alloc s f32 512 256 = 1 x64
set_mask_count
set_vector_mask.f32 high=0x0 low=0x40
adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=1
axpy.f32 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, repeat=1
)",
                                uses_up_the_count());
  EXPECT_EQ(
      finding.what,
      "axpy.f32 writes nothing after the earlier adds.f32 (instruction 3), as if it had used up the count "
      "in the register");
}

unsigned left_for_the_last_repeat(const Instruction& counted) {
  return static_cast<unsigned>((counted.low - 1) % lanes_of(counted)) + 1;
}

/// The lanes that a count leaves for the last repeat bound the last repeats of all later instructions.
Backend keeps_the_tail(bool of_counts) {
  return function_backend("keeps the tail", "", [of_counts](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    unsigned tail = 128;
    const Semantics semantics(default_readings(program.profile));
    for (Instruction insn : program.instructions) {
      if (insn.mask_from == MaskFrom::count) {
        const unsigned own = left_for_the_last_repeat(insn);
        if (of_counts && own > tail) insn.low -= own - tail;
        execute_one(program, insn, semantics, state);
        tail = own;
        continue;
      }
      Instruction last = one_repeat(insn, insn.repeat - 1);
      for (unsigned slot = tail; slot < 128; ++slot)
        (slot < 64 ? last.low : last.high) &= ~(std::uint64_t{1} << slot % 64);
      if (--insn.repeat > 0) execute_one(program, insn, semantics, state);
      execute_one(program, last, semantics, state);
    }
    return Ran{};
  });
}

TEST(CountOfEarlier, WhatACountLeavesForItsLastRepeatBoundsLaterOnes) {
  for (const bool of_counts : {false, true}) {
    const Finding finding = named(R"(
profile tik
ub 1024
alloc a f32 0 256 = 0 x64
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 1 x128
alloc t f32 768 256 = 1 x64
adds.f32 a+0 blk=1 rep=8, t+0 blk=1 rep=8, scalar=3, count=37, repeat=1
adds.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=1
)",
                                  keeps_the_tail(of_counts));
    EXPECT_EQ(
        finding.what,
        std::string("adds.f16 has in its last repeat no more lanes than are left for the last repeat by the "
                    "count of the earlier adds.f32 (instruction 1)") +
            (of_counts ? "" : ", not if it has a count of its own"));
    EXPECT_FALSE(finding.rules.empty());
  }
}

/// The first count of a program fixes how many lanes the last repeat has, for each number of lanes.
Backend keeps_the_first_tail() {
  return function_backend("first tail", "", [](const Program& program, State& state) -> Outcome {
    Program changed = program;
    std::map<unsigned, unsigned> tails;
    for (Instruction& insn : changed.instructions) {
      if (insn.mask_from != MaskFrom::count) continue;
      const unsigned own = left_for_the_last_repeat(insn);
      const unsigned kept = tails.try_emplace(lanes_of(insn), own).first->second;
      insn.low += kept;
      insn.low -= own;
    }
    execute(changed, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

/// It is not the whole count that is taken.
TEST(CountOfEarlier, TheLanesOfTheLastRepeatAreThoseOfAnEarlierCount) {
  const Finding finding = named(R"(
profile tik
ub 1536
alloc a f32 0 512 = 0 x128
alloc s f32 512 512 = 1 x128
alloc b f32 1024 256 = 0 x64
alloc t f32 1280 256 = 1 x64
muls.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, count=9, repeat=1
muls.f32 b+0 blk=1 rep=8, t+0 blk=1 rep=8, scalar=3, count=40, repeat=1
)",
                                keeps_the_first_tail());
  EXPECT_EQ(finding.what,
            "muls.f32 takes the number of lanes in the last repeat of the earlier muls.f32 (instruction 1) "
            "instead of its own, with a count of its own, if both have the same number of lanes, also if "
            "another muls.f32 comes between them");
}

}  // namespace
}  // namespace lanecheck
