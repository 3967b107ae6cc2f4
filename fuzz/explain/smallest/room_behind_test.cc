// A backend that leaves out the element that ends with the last byte of UB.
#include "fuzz/explain/smallest/room_behind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/explain/smallest/minimize.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace at_end_of_ub_test {

/// The last two bytes of UB are never written.
Backend keeps_the_last_bytes() {
  return function_backend("keeps the last bytes", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    std::copy(program.ub.end() - 2, program.ub.end(), state.ub.end() - 2);
    return Ran{};
  });
}

constexpr std::string_view kDstAtEnd = R"(
ub 832
alloc unused f16 0 256 = 9 x128
alloc s f16 288 256 = 1 x128
alloc d f16 576 256 = 7 x128
abs.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)";

TEST(AtEndOfUb, AnElementThatEndsWithUbIsSaidToBeWrongThere) {
  const Finding finding = named(kDstAtEnd, keeps_the_last_bytes());
  EXPECT_EQ(finding.id, "measured-end-of-ub");
  EXPECT_EQ(finding.what,
            "abs.f16 is wrong if its dst ends where UB ends; with a data block of UB behind it, it is right");
}

TEST(AtEndOfUb, WhatStaysWrongWithMoreBytesBehindItHasAnotherCause) {
  const Backend wrong = function_backend("wrong", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    if (program.instructions.empty()) return Ran{};
    state.ub[static_cast<std::size_t>(start_of(program, program.instructions.back().operands[0]))] ^=
        std::byte{1};
    return Ran{};
  });
  EXPECT_NE(named(kDstAtEnd, wrong).id, "measured-end-of-ub");
}

/// A repeat is left out if the allocation of its source has no room for a whole repeat stride.
Backend needs_a_whole_stride() {
  return function_backend("slices", "", [](const Program& program, State& state) -> Outcome {
    Program cut = program;
    for (Instruction& insn : cut.instructions) {
      if (row_of(insn.op).operands.size() < 2) continue;
      const Operand& src = insn.operands[1];
      const std::uint32_t room = cut.allocations[src.allocation].bytes - src.offset;
      if (src.repeat_stride > 0)
        insn.repeat = std::min(insn.repeat, room / (src.repeat_stride * kBlockBytes));
    }
    execute(cut, Semantics{}, state);
    return Ran{};
  });
}

TEST(AtEndOfAllocation, ARepeatThatIsLostThereIsSaidSo) {
  const Finding finding = named(R"(
ub 832
alloc d i8 0 256 = 0 x256
alloc s i8 288 256 = 1 x256
abs.i8 d+0 blk=1 rep=8, s+0 blk=1 rep=12, repeat=1
)",
                                needs_a_whole_stride());
  EXPECT_EQ(
      finding.what,
      "abs.i8 is wrong if the allocation of src ends where src ends; with more room in it, it is right");
}

/// Zeros behind src are equal to what should be read; other bytes are not.
TEST(AtEndOfAllocation, WhatIsReadBehindTheSourceHasAnotherCause) {
  const Backend reads_the_next =
      function_backend("next", "", [](const Program& program, State& state) -> Outcome {
        Program moved = program;
        for (Instruction& insn : moved.instructions) {
          if (row_of(insn.op).operands.size() < 2) continue;
          const auto src = program.ub.begin() + start_of(program, insn.operands[1]);
          if (std::count(src, src + 256, std::byte{0}) < 256) continue;  // no law of places says this
          insn.operands[1].offset += 256;
          if (start_of(moved, insn.operands[1]) + 256 > moved.ub.size()) return Errored{"IndexError"};
        }
        execute(moved, Semantics{}, state);
        return Ran{};
      });
  const Finding finding = named(R"(
ub 832
alloc s i8 0 256 = 0 x256
alloc d i8 256 256 = 1 x256
abs.i8 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
                                reads_the_next);
  EXPECT_NE(finding.id, "measured-end-of-allocation") << finding.what;
}

TEST(AtEndOfUb, TheSmallestProgramEndsThereTooAndHasNoUnusedAllocation) {
  const Program program = parse_program(kDstAtEnd, "test");
  const Backend backend = keeps_the_last_bytes();
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  const Minimized smallest = minimize(program, legal_under(Readings{}), [&](const Program& candidate) {
    return diverges(asked.ask(candidate), candidate, documented, asked.shown());
  });
  ASSERT_EQ(smallest.program.allocations.size(), 2u);
  const Operand& dst = smallest.program.instructions.back().operands[0];
  EXPECT_TRUE(ends_with_ub(smallest.program, smallest.program.allocations[dst.allocation]));
}

}  // namespace at_end_of_ub_test
}  // namespace lanecheck
