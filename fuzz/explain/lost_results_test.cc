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

}  // namespace lanecheck
