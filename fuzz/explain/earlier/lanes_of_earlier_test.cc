// Masked-off elements of a reduction that an earlier one has left in a buffer.
#include "fuzz/explain/earlier/lanes_of_earlier.h"

#include <gtest/gtest.h>

#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/explain/questions/executed_step.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace lanes_of_earlier_test {

/// cadd.i32 copies its active elements into a buffer that nobody clears, and adds up all of that.
Backend keeps_its_buffer() {
  return function_backend("keeps its buffer", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    std::vector<std::int32_t> buffer(64);
    for (const Instruction& insn : program.instructions) {
      execute_one(program, insn, Semantics{}, state);
      if (insn.op != Op::cadd || insn.src_type != Element::i32 || insn.repeat != 1) continue;
      std::uint32_t sum = 0;  // wraps around
      for (unsigned lane = 0; lane < 64; ++lane) {
        const std::size_t at = start_of(program, insn.operands[1]) + lane_offset(insn, 1, 0, lane);
        if (state.mask[lane] != 0) buffer[lane] = load<std::int32_t>(&state.ub[at]);
        sum += static_cast<std::uint32_t>(buffer[lane]);
      }
      store(&state.ub[start_of(program, insn.operands[0])], static_cast<std::int32_t>(sum));
    }
    return Ran{};
  });
}

TEST(LanesOfEarlier, WhatIsLeftInABufferCounts) {
  const Finding finding = named(R"(
ub 2048
alloc a i32 0 32 = 0 x8
alloc s i32 64 256 = 1 x64
alloc b i32 352 32 = 0 x8
alloc t i32 416 256 = 3 x64
cadd.i32 a+0 rep=1, s+0 blk=1 rep=8, repeat=1
set_mask high=0x0 low=0xfffffffffffffffe
cadd.i32 b+0 rep=1, t+0 blk=1 rep=8, repeat=1
)",
                                keeps_its_buffer());
  EXPECT_EQ(finding.what,
            "masked-off elements of cadd.i32 count as what stood in their lanes in instruction 1 (cadd.i32)");
}

}  // namespace lanes_of_earlier_test
}  // namespace lanecheck
