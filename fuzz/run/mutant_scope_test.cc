// Known mistakes that a backend makes in one family of instructions alone.
#include <gtest/gtest.h>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace mutant_scope_test {

/// The oracle that makes the mistake `id` in the instructions for which `in` is true.
template <class In>
Backend partly_wrong(const std::string& id, In in) {
  return function_backend("partly", "", [id, in](const Program& program, State& state) -> Outcome {
    const Semantics right(default_readings(program.profile));
    Semantics wrong = right;
    find_mutant(id)->apply(wrong);
    state = State{program.ub};
    for (const Instruction& insn : program.instructions)
      execute_one(program, insn, in(insn) ? wrong : right, state);
    return Ran{};
  });
}

std::vector<Finding> findings_of(const Backend& backend) {
  RunOptions options;
  options.mix.profile = Profile::a2;
  options.readings = default_readings(Profile::a2);
  options.cases = 1000;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

bool is_reduction(const Instruction& insn) {
  return row_of(insn.op).mask == MaskUse::neutral_source;
}

TEST(MutantScope, FamiliesThatAreRightAreNamedAndTheirRulesAreNotBroken) {
  const auto found = findings_of(
      partly_wrong("counter-rounds-up", [](const Instruction& insn) { return !is_reduction(insn); }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "counter-rounds-up");
  EXPECT_NE(
      found[0].what.find("; families that are right where this would show, with what was tried: reduction ("),
      std::string::npos)
      << found[0].what;
  EXPECT_EQ(found[0].rules, std::vector<std::string>{"SVM-2-tail"});
}

TEST(MutantScope, AMistakeInAllFamiliesHasNoLimit) {
  const auto found = findings_of(partly_wrong("counter-rounds-up", [](const Instruction&) { return true; }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, "counter mode fills the last repeat");
  EXPECT_EQ(found[0].rules, (std::vector<std::string>{"SVM-2-tail", "SVM-2-reductions"}));
}

/// A program without an instruction shows the mask that programs start with.
TEST(MutantScope, AMistakeThatAnEmptyProgramShowsIsOfNoFamily) {
  RunOptions options;
  options.cases = 300;
  options.illegal_in_32 = 0;
  const auto found =
      run(options, function_backend(
                       "start", "",
                       [](const Program& program, State& state) -> Outcome {
                         execute(program,
                                 find_mutant("start-all-off")->semantics(default_readings(program.profile)),
                                 state);
                         return Ran{};
                       }))
          .findings;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].id, "start-all-off");
  EXPECT_EQ(found[0].what.find(" right where "), std::string::npos) << found[0].what;
}

}  // namespace mutant_scope_test
}  // namespace lanecheck
