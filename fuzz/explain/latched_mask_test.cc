// A reduction that uses the mask of the last elementwise instruction.
#include "fuzz/explain/latched_mask.h"

#include <gtest/gtest.h>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace latched_mask_test {

constexpr std::string_view kSum = R"(
ub 512
alloc a i32 0 32 = 0 x8
alloc s i32 64 256 = 1 x63, 5
set_mask high=0x0 low=0x7fffffffffffffff
cadd.i32 a+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";

/// Elementwise instructions note the mask; reductions take the noted one. `noted`: at the start.
Backend latches(bool ignores) {
  return function_backend("latches", "", [ignores](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    Mask noted = kFullMask;
    for (const Instruction& insn : program.instructions) {
      const Mask own = state.mask;
      const bool reduces = row_of(insn.op).mask == MaskUse::neutral_source;
      if (row_of(insn.op).mask == MaskUse::gates_writeback && !ignores) noted = own;
      if (reduces) state.mask = noted;
      execute_one(program, insn, Semantics{}, state);
      if (reduces) state.mask = own;
    }
    return Ran{};
  });
}

Finding found_on(const Backend& backend) {
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  return explain(parse_program(kSum, "test"), {}, asked, documented, true);
}

TEST(LatchedMask, OfTheLastElementwiseInstruction) {
  EXPECT_EQ(
      found_on(latches(false)).what,
      "cadd.i32 uses the mask that the last elementwise instruction before it used (asked with add.f16), and "
      "a full mask if no such instruction comes before it");
}

TEST(LatchedMask, IsNotSaidOfAReductionThatIgnoresTheMask) {
  const std::string what = found_on(latches(true)).what;
  EXPECT_EQ(what.find("elementwise"), std::string::npos) << what;
}

}  // namespace latched_mask_test
}  // namespace lanecheck
