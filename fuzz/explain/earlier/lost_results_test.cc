// What an instruction has written is missing behind a later one.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {

/// A store that is taken to be dead, because a later one has the same dst.
TEST(LostResults, AreNamedWithTheInstructionThatWroteThem) {
  const Backend loses = function_backend("loses", "", [](const Program& program, State& state) -> Outcome {
    Program kept = program;
    const auto dead = [&](const Instruction& insn) {
      return insn.op == Op::dup && kept.instructions.back().op == Op::dup &&
             &insn != &kept.instructions.back() && insn.operands == kept.instructions.back().operands;
    };
    if (const auto at = std::ranges::find_if(kept.instructions, dead); at != kept.instructions.end())
      kept.instructions.erase(at);
    execute(kept, Semantics{}, state);
    return Ran{};
  });
  const Finding finding = named(R"(
ub 256
alloc a f16 0 256 = 0 x128
dup.f16 a+0 blk=1 rep=8, scalar=3, repeat=1
set_mask high=0xffffffffffffffff low=0xffffffffffffff0f
dup.f16 a+0 blk=1 rep=8, scalar=5, repeat=1
)",
                                loses);
  EXPECT_EQ(
      finding.what,
      "what instruction 1 (dup.f16) has written is lost when dup.f16 writes the same places: lanes that keep "
      "their old dst get what was there before both");
}

/// A cache of what was gathered, which no write empties. Offsets stay as they are in other data.
TEST(LostResults, WhatAGatherReadsFromACache) {
  const Backend caches = function_backend("caches", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    const auto is_gather = [](const Instruction& each) { return each.op == Op::gather; };
    const auto first = std::ranges::find_if(program.instructions, is_gather);
    if (first == program.instructions.end() || std::ranges::count_if(program.instructions, is_gather) < 2)
      return Ran{};
    Program early = program;
    early.instructions.resize(static_cast<std::size_t>(first - program.instructions.begin()) + 1);
    State old;
    execute(early, Semantics{}, old);
    std::copy_n(old.ub.begin(), 256, state.ub.begin());
    return Ran{};
  });
  const Finding finding = named(R"(
ub 1024
alloc d u16 0 256 = 0 x128
alloc s u16 256 256 = 7 x128
alloc o u32 512 512 = 0 x128
gather.u16 d+0 rep=8, s+0, o+0, repeat=1
dup.u16 s+0 blk=1 rep=8, scalar=3, repeat=1
gather.u16 d+0 rep=8, s+0, o+0, repeat=1
)",
                                caches);
  EXPECT_EQ(finding.what, "gather.u16 reads src as it was before instruction 2 (dup.u16) wrote it");
}

}  // namespace lanecheck
