// A simulator that remembers the words of the last set_mask (VMC section 2).
#include <gtest/gtest.h>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace same_words_test {

/// set_mask does nothing if `skips` its words and those of the last one.
template <class Skips>
Backend remembers(Skips skips) {
  return function_backend("remembers", "", [skips](const Program& program, State& state) -> Outcome {
    execute(Program{program.profile, program.allocations, {}, program.ub}, Semantics{}, state);
    const Instruction* last = nullptr;
    for (const Instruction& insn : program.instructions) {
      const bool sets = insn.op == Op::set_mask;
      if (!sets || last == nullptr || !skips(*last, insn)) execute_one(program, insn, Semantics{}, state);
      if (sets) last = &insn;
    }
    return Ran{};
  });
}

constexpr const char* kProgram = R"(
ub 32
set_mask high=0x5 low=0x7
reset_mask
set_mask high=0x5 low=0x7
)";

TEST(SameWords, SetMaskDoesNothingIfItsWordsAreThoseOfTheLastOne) {
  const Finding finding = named(kProgram, remembers([](const Instruction& last, const Instruction& insn) {
                                  return last.high == insn.high && last.low == insn.low;
                                }));
  EXPECT_EQ(
      finding.what,
      "set_mask has no effect if its words are those of the last set_mask before it, though the mask was "
      "changed between them");
  EXPECT_EQ(finding.id, "carried-same-words");
}

/// Here a bit more does not help: the sentence would be false.
TEST(SameWords, ASecondSetMaskThatNeverWorksHasNothingToDoWithItsWords) {
  const Finding finding =
      named(kProgram, remembers([](const Instruction&, const Instruction&) { return true; }));
  EXPECT_EQ(finding.what.find("its words are those"), std::string::npos) << finding.what;
}

}  // namespace same_words_test
}  // namespace lanecheck
