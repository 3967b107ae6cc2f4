// What a process keeps of the mask register from one program to the next.
#include "fuzz/explain/over_programs/register_over_programs.h"

#include <gtest/gtest.h>

#include <memory>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace register_over_programs_test {

/// Starts a program with the mask that the one before left. It refuses illegal programs.
Backend keeps_the_mask() {
  const auto left = std::make_shared<Mask>(kFullMask);
  Backend backend = function_backend("keeps", "", [=](const Program& program, State& state) -> Outcome {
    if (find_fault(program)) return Refused{"illegal"};
    state = {.ub = program.ub, .mask = *left};
    for (const Instruction& insn : program.instructions) execute_one(program, insn, Semantics{}, state);
    *left = state.mask;
    return Ran{};
  });
  backend.restart = [left] { *left = kFullMask; };
  return backend;
}

/// The illegal program sets another mask, and merges queues that reach past the end of UB.
TEST(RegisterOverPrograms, AnIllegalProgramBeforeIsNotExecuted) {
  const Backend backend = keeps_the_mask();
  const Documented documented(Profile::vmc, default_readings(Profile::vmc), {});
  AskedBackend asked(backend, Profile::vmc);
  AskAgain ask(asked, documented, 100);
  Finding finding;
  finding.program = parse_program(
      "ub 512\nalloc a f32 0 256 = 0 x64\nalloc s f32 256 256 = 1 x64\n"
      "adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1\n",
      "test");
  Program illegal = parse_program(
      "ub 96\nalloc d f32 0 32 = 0 x8\nalloc a f32 32 32 = 1 x8\nalloc b f32 64 32 = 2 x8\n"
      "set_mask high=0x0 low=0x1\nmergesort_2seq.f32 d+0, a+0, b+0, length=2, length=1\n",
      "test");
  illegal.instructions[1].lengths[1] = 5;
  ASSERT_TRUE(find_fault(illegal));
  finding.before = {parse_program("ub 32\nset_mask high=0xffff low=0xff00\n", "test"), illegal};
  const auto said = register_over_programs(finding, ask);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->sentence, "starts a program with the mask that the program before left");
}

}  // namespace register_over_programs_test
}  // namespace lanecheck
