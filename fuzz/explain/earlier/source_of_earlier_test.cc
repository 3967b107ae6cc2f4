// What an instruction reads of an earlier one, if not what that one has left.
#include "fuzz/explain/earlier/source_of_earlier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// A sum reads what the instruction before it has computed, before the mask said which of that is written.
Backend hands_on_unmasked() {
  return function_backend("hands on", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    State all = state;
    const Instruction* writer = nullptr;
    for (const Instruction& insn : program.instructions) {
      const State before = state;
      const bool reads = writer != nullptr && insn.op == Op::adds &&
                         insn.operands[1].allocation == writer->operands[0].allocation;
      const auto source = [&](State& of) {
        const Allocation& home = program.allocations[insn.operands[1].allocation];
        return std::span(of.ub).subspan(home.offset, home.bytes);
      };
      if (reads) std::ranges::copy(source(all), source(state).begin());
      execute_one(program, insn, Semantics{}, state);
      State kept = before;
      if (reads) std::ranges::copy(source(kept), source(state).begin());
      if (row_of(insn.op).operands.empty()) continue;
      writer = &insn;
      all = before;
      all.mask = kFullMask;
      execute_one(program, insn, Semantics{}, all);
    }
    return Ran{};
  });
}

TEST(SourceOfEarlier, ResultsThatAreReadThoughTheMaskLeftThemOut) {
  const Finding finding = named(R"(
ub 1024
alloc a i32 0 256 = 0 x64
alloc b i32 256 256 = 0 x64
alloc s i32 512 256 = 1 x64
set_mask high=0x0 low=0xfffffffffffffffe
add.i32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
reset_mask
adds.i32 b+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=3, repeat=1
)",
                                hands_on_unmasked());
  EXPECT_EQ(finding.what,
            "adds.i32 reads src as if instruction 2 (add.i32) had written all lanes, also those that were "
            "masked off");
  EXPECT_EQ(finding.matter, Matter::mask);
}

}  // namespace
}  // namespace lanecheck
