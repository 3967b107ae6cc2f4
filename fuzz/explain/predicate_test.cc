// When a fault happens: the clauses follow from the fault that the test plants, and a clause that other data
// or another lane contradicts is not said.
#include "fuzz/explain/predicate.h"

#include <gtest/gtest.h>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/neighbour.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kLaneOff = R"(ub 1600
alloc dst i16 0 512 = 7 x256
alloc a i16 512 512 = 1 x256
alloc b i16 1056 512 = 2 x256
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
add.i16 dst+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2
)";

using Condition = std::function<bool(const Program& program, const Instruction& last)>;

/// Right, except that the last instruction of a program ignores the mask where `when` holds.
Backend ignores_mask_when(const Condition& when) {
  return function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
    Semantics semantics;
    if (!program.instructions.empty() && when(program, program.instructions.back()))
      for (MaskUse& use : semantics.use)
        if (use == MaskUse::gates_writeback) use = MaskUse::ignores;
    execute(program, semantics, state);
    return Ran{};
  });
}

Finding explained(const Condition& when) {
  const Backend backend = ignores_mask_when(when);
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  return explain(parse_program(kLaneOff, "test"), {}, asked, documented, true);
}

bool says(const Finding& finding, std::string_view clause) {
  return finding.predicate.find(clause) != std::string::npos;
}

TEST(Predicate, OfAFaultThatIsAlwaysThere) {
  const Finding finding = explained([](const Program&, const Instruction&) { return true; });
  EXPECT_TRUE(says(finding, "happens for every element type tried (f16, f32, i8, u8, i16, i32)"))
      << finding.predicate;
  EXPECT_TRUE(says(finding, "when a lane is off (5 masks tried), not with a full mask")) << finding.predicate;
  EXPECT_TRUE(says(finding, "for every repeat time tried (1, 2, 3, 8)")) << finding.predicate;
  EXPECT_FALSE(says(finding, "alone")) << finding.predicate;
  EXPECT_EQ(finding.passes, "with bit 0 of low set");
}

TEST(Predicate, OfAFaultOfSomeTypesAndRepeatTimes) {
  const Finding finding = explained([](const Program&, const Instruction& insn) {
    return size_of(insn.dst_type) == 2 && insn.repeat >= 2;
  });
  EXPECT_TRUE(says(finding, "as f16, i16, not as f32, i8, u8, i32")) << finding.predicate;
  EXPECT_TRUE(says(finding, "with repeat time 2, 3, 8, not with repeat time 1")) << finding.predicate;
}

/// The mask with lane 0 off shows it, and a mask with another lane off does not.
TEST(Predicate, LeavesOutAClauseThatAFreshCaseContradicts) {
  const Finding finding = explained([](const Program& program, const Instruction&) {
    for (const Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask && insn.low == ~std::uint64_t{1}) return true;
    return false;
  });
  EXPECT_FALSE(finding.predicate.empty());
  EXPECT_FALSE(says(finding, "lane")) << finding.predicate;
  EXPECT_FALSE(says(finding, "full mask")) << finding.predicate;
}

/// Every single change from the minimized program shows it, but 32 bits and two repeats together do not.
TEST(Predicate, SaysSoIfChangesTogetherDoNotShowIt) {
  const Finding finding = explained(
      [](const Program&, const Instruction& insn) { return size_of(insn.dst_type) != 4 || insn.repeat < 2; });
  EXPECT_TRUE(says(finding, "(each of these changed alone)")) << finding.predicate;
}

TEST(Neighbour, ComesFromTheBackendAndNotFromAGuess) {
  const Finding finding = explained([](const Program&, const Instruction&) { return true; });
  const auto all = neighbours(finding);
  EXPECT_GE(all.size(), 10u);
  const Backend backend =
      function_backend("breaks", "", [](const Program&, State&) -> Outcome { return Refused{"not now"}; });
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(passing_change(finding, nullptr, asked, documented), "");
  EXPECT_GT(asked.questions(), 0u);
  EXPECT_LE(asked.questions(), 24u);
  const unsigned before = asked.questions();
  EXPECT_EQ(predicate_of(finding, nullptr, asked, documented), "");
  EXPECT_LE(asked.questions() - before, 40u);
}

}  // namespace
}  // namespace lanecheck
