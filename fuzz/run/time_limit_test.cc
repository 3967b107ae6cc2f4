// --seconds: the time of a run holds for the analysis of findings too. The clock of these tests is made up.
#include <gtest/gtest.h>

#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// The time is over as soon as `over` is set.
RunHooks hooks_with_clock(const bool& over) {
  RunHooks hooks;
  hooks.clock = [&over] { return over ? 100.0 : 0.0; };
  return hooks;
}

TEST(TimeLimit, EndsSoonIfTheTimeIsOverWhileItMinimizes) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  options.seconds = 22;
  bool diverged = false, over = false;
  unsigned looked = 0, asked_since = 0;
  const Backend wrong =
      function_backend("wrong", "",
                       [&, w = find_backend("wrong:mask-advances"), oracle = find_backend("oracle")](
                           const Program& program, State& state) {
                         asked_since += over ? 1 : 0;
                         State documented;
                         oracle.run(program, documented);
                         const Outcome outcome = w.run(program, state);
                         diverged = diverged || state.ub != documented.ub;
                         return outcome;
                       });
  RunHooks hooks;
  hooks.clock = [&] {
    over = diverged && ++looked > 30;  // some way into the first finding
    return over ? 100.0 : 0.0;
  };
  const Report report = run(options, wrong, hooks);
  EXPECT_LT(asked_since, 60u);
  EXPECT_FALSE(report.interrupted);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(report.findings[0].id.starts_with("unexplained-"))
      << "no mutant was confirmed: " << report.findings[0].id;
  EXPECT_TRUE(report.findings[0].what.ends_with("; the analysis ended before its cause was asked for"))
      << report.findings[0].what;
  EXPECT_LT(report.done, options.cases);
  EXPECT_EQ(report.conforms + report.diverges + report.undecided + report.skipped + report.errored,
            report.done);
  EXPECT_EQ(report.stopped, "stopped after 22 s, --seconds; the time was over while " +
                                report.findings[0].id +
                                " was analysed, so its program may not be the smallest");
}

/// A case that was not analysed may have the cause of the first finding, so it must not be listed as a second
/// one.
TEST(TimeLimit, ASecondFindingThatNothingNamesYetIsNotListed) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  options.seconds = 22;
  bool found = false, diverged_again = false;
  const Backend wrong = function_backend(
      "wrong", "",
      [&, first = find_backend("wrong:cadd-keeps-dst"), oracle = find_backend("oracle")](
          const Program& program, State& state) {
        const Outcome outcome = first.run(program, state);
        State documented;
        oracle.run(program, documented);
        const bool again = !program.instructions.empty() && program.instructions[0].op == Op::mul && found;
        if (again) state.ub[program.allocations[0].offset] ^= std::byte{1};
        diverged_again |= again;
        return outcome;
      });
  RunHooks hooks;
  hooks.on_finding = [&](const Finding&) { found = true; };
  unsigned looked = 0;
  hooks.clock = [&] { return diverged_again && ++looked > 30 ? 100.0 : 0.0; };
  const Report report = run(options, wrong, hooks);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "cadd-keeps-dst");
  EXPECT_GE(report.unlisted, 1u);
}

TEST(TimeLimit, LooksAtTheClockAfterEveryCase) {
  RunOptions options;
  options.cases = 3000;
  options.seconds = 22;
  double now = 0;
  const Backend slow = function_backend(
      "slow", "", [&, example = find_backend("example")](const Program& program, State& state) {
        now += 1;
        return example.run(program, state);
      });
  RunHooks hooks;
  hooks.clock = [&] { return now; };
  const Report report = run(options, slow, hooks);
  EXPECT_EQ(report.done, 22u);
  EXPECT_EQ(report.stopped, "stopped after 22 s, --seconds");
}

TEST(TimeLimit, AReadingIsNoDivergenceEvenIfTheTimeIsOverBeforeItIsExplained) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  options.seconds = 22;
  Readings other;
  other.empty_reduction = EmptyReduction::writes_neutral;
  bool over = false;
  const Backend follows =
      function_backend("follows a reading", "",
                       [&, one = oracle_backend("other", Semantics(other)), oracle = find_backend("oracle")](
                           const Program& program, State& state) {
                         State documented;
                         oracle.run(program, documented);
                         const Outcome outcome = one.run(program, state);
                         over = over || state.ub != documented.ub;
                         return outcome;
                       });
  const Report report = run(options, follows, hooks_with_clock(over));
  EXPECT_EQ(report.undecided, 1u);
  EXPECT_EQ(report.unlisted, 1u);
  EXPECT_EQ(exit_code(report), 0);
}

}  // namespace
}  // namespace lanecheck
