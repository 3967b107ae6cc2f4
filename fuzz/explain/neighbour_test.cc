// The change after which a program passes: one after which it cannot fail is none.
#include "fuzz/explain/neighbour.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// sqrt(x) as x * (1 / sqrt(x)): NaN of infinity, and of 0, which is left open.
Outcome by_reciprocals(const Program& program, State& state) {
  execute(program, Semantics{}, state);
  if (program.instructions.empty() || program.instructions.back().op != Op::sqrt) return Ran{};
  const Instruction& insn = program.instructions.back();
  for (unsigned n = 0; n < insn.repeat * lanes_of(insn); ++n) {
    float x = 0;
    std::memcpy(&x, &program.ub[start_of(program, insn.operands[1]) + 4 * n], 4);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    if (x == 0 || std::isinf(x)) std::memcpy(&state.ub[start_of(program, insn.operands[0]) + 4 * n], &nan, 4);
  }
  return Ran{};
}

TEST(PassingChange, IsNoneThatLeavesNothingToJudge) {
  const Backend backend = function_backend("by reciprocals", "", by_reciprocals);
  Finding finding;
  finding.program = parse_program(R"(
ub 512
alloc d f32 0 256 = 7 x64
alloc s f32 256 256 = inf x64
sqrt.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
                                  "test");
  const Documented documented(Profile::vmc, default_readings(Profile::vmc), {});
  AskedBackend asked(backend, Profile::vmc);
  locate(finding, asked, documented);
  ASSERT_FALSE(finding.lanes.empty());
  const std::string change = passing_change(finding, nullptr, asked, documented);
  EXPECT_EQ(change.find("with 0 everywhere in s"), std::string::npos) << change;
}

}  // namespace
}  // namespace lanecheck
