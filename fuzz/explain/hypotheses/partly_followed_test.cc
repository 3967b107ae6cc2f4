// Which readings are said to be followed by one instruction alone.
#include "fuzz/explain/hypotheses/partly_followed.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The oracle, whose casts ignore the mask if `ignores` holds for them.
Backend with_casts(bool (*ignores)(const Instruction&)) {
  return function_backend("casts", "", [ignores](const Program& program, State& state) -> Outcome {
    Readings readings = default_readings(program.profile);
    readings.cast_mask = CastMask::ignores_mask;
    execute(prefix(program, 0), Semantics{}, state);
    for (const Instruction& insn : program.instructions)
      execute_one(program, insn, ignores(insn) ? Semantics(readings) : Semantics{}, state);
    return Ran{};
  });
}

/// Is the cast of this program said to ignore the mask?
bool is_named(const Backend& backend) {
  Finding finding;
  finding.program = parse_program(R"(
ub 288
alloc a f32 0 32 = 0 x8
alloc b i32 32 256 = 2 x56, 3 x8
set_mask high=0xffffffffffffffff low=0xbfffffffffffffff
cast.f32.i32 a+0 blk=0 rep=8, b+0 blk=1 rep=8, round=round, repeat=1
)",
                                  "test");
  const Documented documented(Profile::vmc, default_readings(Profile::vmc), {});
  AskedBackend asked(backend, Profile::vmc);
  locate(finding, asked, documented);
  const auto reading = std::ranges::find(documented.hypotheses, "cast_mask=ignores_mask", &Hypothesis::id);
  return is_named_by_partly_followed(finding, *reading, asked, documented);
}

TEST(PartlyFollowed, AReadingThatACastFollows) {
  EXPECT_TRUE(is_named(with_casts([](const Instruction& insn) { return insn.op == Op::cast; })));
}

TEST(PartlyFollowed, NotOneThatACastFollowsWhereItsElementsOverlap) {
  EXPECT_FALSE(is_named(with_casts(
      [](const Instruction& insn) { return insn.op == Op::cast && insn.operands[0].block_stride == 0; })));
}

}  // namespace
}  // namespace lanecheck
