// Minimization under tests that are made by hand: the result is small, legal, and still shows the fault.
#include "fuzz/explain/smallest/minimize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/explain/smallest/moves.h"
#include "fuzz/generate/generate.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A drawn program of many instructions for which `test` holds.
Program drawn_program(Profile profile, const ProgramTest& test) {
  Mix mix;
  mix.profile = profile;
  mix.with_boundaries = false;
  Program program;
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    generate(3, index, mix, program);
    if (program.instructions.size() >= 8 && test(program)) return program;
  }
  ADD_FAILURE() << "no drawn program shows the fault";
  return program;
}

ProgramTest legal_in(Profile profile) {
  return legal_under(default_readings(profile));
}

bool repeats_an_exp(const Program& program) {
  return std::ranges::any_of(program.instructions,
                             [](const Instruction& insn) { return insn.op == Op::exp && insn.repeat >= 3; });
}

TEST(Minimize, KeepsOneInstructionInItsPlainestForm) {
  const Program program = drawn_program(Profile::vmc, repeats_an_exp);
  const Minimized result = minimize(program, legal_in(Profile::vmc), repeats_an_exp);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.program.instructions.size(), 1u) << print(result.program);
  const Instruction& insn = result.program.instructions[0];
  EXPECT_EQ(insn.op, Op::exp);
  EXPECT_EQ(insn.repeat, 3u);
  for (unsigned k = 0; k < 2; ++k) {
    EXPECT_EQ(insn.operands[k].block_stride, 1u);
    EXPECT_EQ(insn.operands[k].repeat_stride, 8u);
  }
  EXPECT_LE(result.program.allocations.size(), 2u);
  EXPECT_TRUE(std::ranges::all_of(result.program.ub, [](std::byte byte) { return byte == std::byte{0}; }));
}

/// A backend may execute a repeat where there should be none: then it needs the data that nothing addresses.
TEST(Minimize, DropsUnusedAllocationsAlsoIfTheOthersMustNotBecomeShorter) {
  const Program program = parse_program(R"(profile tik
ub 1312
alloc unused f16 0 512 = 0 x256
alloc d f32 544 256 = 0 x64
alloc s f16 832 128 = 1 x64
alloc other f16 992 256 = 0 x128
axpy.f32.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=4, scalar=3, mask=64, repeat=scalar:0
)",
                                        "test");
  const ProgramTest has_data = [](const Program& it) {
    return it.allocations.size() >= 2 && std::ranges::any_of(it.allocations, [&](const Allocation& home) {
             return home.name == "s" && home.bytes > 0 && it.ub[home.offset + 1] != std::byte{0};
           });
  };
  const Minimized result = minimize(program, legal_in(Profile::tik), has_data);
  EXPECT_EQ(result.program.allocations.size(), 2u) << print(result.program);
}

/// The documents do not say which of two elements stays that go to one place.
TEST(Minimize, KeepsThePlacesOfAScatterApart) {
  const ProgramTest scatters = [](const Program& program) {
    return std::ranges::any_of(program.instructions,
                               [](const Instruction& insn) { return insn.op == Op::scatter; });
  };
  const Program program = drawn_program(Profile::vmc, scatters);
  const Minimized result = minimize(program, legal_in(Profile::vmc), scatters);
  ASSERT_EQ(result.program.instructions.size(), 1u) << print(result.program);
  const Instruction& insn = result.program.instructions[0];
  const std::byte* table =
      result.program.ub.data() + start_of(result.program, insn.operands[kOffsetsOperand]);
  for (unsigned r = 0; r < insn.repeat; ++r) {
    std::set<std::uint32_t> places;
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      places.insert(load<std::uint32_t>(table + std::size_t{4} * (r * lanes_of(insn) + lane)));
    EXPECT_EQ(places.size(), lanes_of(insn));
  }
}

TEST(Minimize, LeavesNoSingleMoveThatWouldMakeTheResultSmaller) {
  for (const Profile profile : kEveryProfile) {
    const ProgramTest legal = legal_in(profile);
    const ProgramTest test = [](const Program& program) {
      return std::ranges::count_if(program.instructions,
                                   [](const Instruction& insn) { return insn.repeat >= 2; }) >= 2;
    };
    const Minimized result = minimize(drawn_program(profile, test), legal, test);
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(legal(result.program)) << print(result.program);
    EXPECT_TRUE(test(result.program)) << print(result.program);
    for (const Move& move : moves_of(result.program)) {
      Program smaller = result.program;
      move(smaller);
      EXPECT_FALSE(legal(smaller) && test(smaller)) << print(result.program) << "shrinks to\n"
                                                    << print(smaller);
    }
  }
}

TEST(Minimize, TestsOnlyCandidatesThatAreAllowed) {
  const ProgramTest legal = legal_in(Profile::a2);
  const Program program = drawn_program(Profile::a2, [](const Program&) { return true; });
  unsigned tested = 0;
  const Minimized result = minimize(program, legal, [&](const Program& candidate) {
    ++tested;
    EXPECT_TRUE(legal(candidate)) << print(candidate);
    return candidate.instructions.size() >= 2;
  });
  EXPECT_EQ(result.program.instructions.size(), 2u);
  EXPECT_EQ(result.tries, tested);
}

TEST(Minimize, ReturnsTheProgramItselfIfNoSmallerOneShowsTheFault) {
  const Program program = drawn_program(Profile::vmc, repeats_an_exp);
  const Minimized result = minimize(program, legal_in(Profile::vmc), [](const Program&) { return false; });
  EXPECT_EQ(result.program, program);
  EXPECT_TRUE(result.complete);
}

TEST(Minimize, SaysThatItIsNotCompleteWhenItsBudgetRunsOut) {
  const Program program = drawn_program(Profile::vmc, repeats_an_exp);
  const Minimized result = minimize(program, legal_in(Profile::vmc), repeats_an_exp, 5);
  EXPECT_EQ(result.tries, 5u);
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(repeats_an_exp(result.program));
}

TEST(Minimize, LooksForNoFurtherProgramAfterTheEndOfTheRun) {
  const Program program = drawn_program(Profile::vmc, repeats_an_exp);
  unsigned tests = 0;
  bool over = false;
  const ProgramTest ends_the_run = [&](const Program&) {
    ++tests;
    over = true;
    return false;
  };
  const Minimized result =
      minimize(program, legal_in(Profile::vmc), ends_the_run, kMostTries, [&] { return over; });
  EXPECT_EQ(tests, 1u);
  EXPECT_EQ(result.program, program);
  EXPECT_FALSE(result.complete);
}

}  // namespace
}  // namespace lanecheck
