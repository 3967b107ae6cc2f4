// Runs as a whole: agreement of the two implementations, honest verdicts, the same bytes twice.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/backends.h"
#include "fuzz/runner.h"
#include "reports/json_report.h"

namespace lanecheck {
namespace {

std::string canonical(const Report& report) {
  auto json = report_json(report);
  json.erase("timing");
  return dump(json);
}

TEST(Run, TheExampleSimulatorAgreesWithTheOracleAndEveryRuleIsExercised) {
  RunOptions options;
  options.seed = 2;
  options.cases = 200'000;
  const Report report = run(options, find_backend("example"));
  EXPECT_EQ(report.conforms, options.cases);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(never_exercised(report).empty());
  EXPECT_EQ(exit_code(report), 0);
}

TEST(Run, GivesTheSameReportForTheSameSeed) {
  RunOptions options;
  options.cases = 1500;
  options.mix.boundaries_first = false;
  const Backend backend = find_backend("wrong:cgmax-first-block");
  EXPECT_EQ(canonical(run(options, backend)), canonical(run(options, backend)));
}

TEST(Run, ReportsADocumentedAlternativeAsAReadingNotAsAFailure) {
  RunOptions options;
  options.cases = 3000;
  options.mix.boundaries_first = false;
  Readings other;
  other.empty_pair = EmptyPair::keeps_dst;
  const Report report = run(options, oracle_backend("keeps empty pairs", Semantics(other)));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "empty_pair=keeps_dst");
  EXPECT_EQ(report.findings[0].verdict, Verdict::undecided);
  EXPECT_EQ(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 0);
}

TEST(Run, APinnedReadingTurnsTheAlternativeIntoAFailure) {
  RunOptions options;
  options.cases = 3000;
  options.mix.boundaries_first = false;
  options.pinned = {"empty_pair"};
  Readings other;
  other.empty_pair = EmptyPair::keeps_dst;
  const Report report = run(options, oracle_backend("keeps empty pairs", Semantics(other)));
  EXPECT_GT(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Run, ABackendThatBreaksNeverConforms) {
  RunOptions options;
  options.cases = 50;
  const Backend broken =
      function_backend("broken", "", [](const Program&, State&) -> Outcome { return Errored{"boom"}; });
  const Report report = run(options, broken);
  EXPECT_EQ(report.errored, 50u);
  EXPECT_EQ(report.conforms, 0u);
  EXPECT_EQ(exit_code(report), 3);
}

TEST(Run, SkippedProgramsAreCountedAndNeverPassed) {
  RunOptions options;
  options.cases = 50;
  const Backend shy = function_backend(
      "shy", "", [](const Program&, State&) -> Outcome { return Skipped{"no instructions"}; });
  const Report report = run(options, shy);
  EXPECT_EQ(report.skipped, 50u);
  EXPECT_EQ(report.conforms, 0u);
  EXPECT_NE(exit_code(report), 0) << "nothing was judged";
}

TEST(Run, ARefusedLegalProgramDiverges) {
  RunOptions options;
  options.cases = 5;
  const Backend strict =
      function_backend("strict", "", [](const Program&, State&) -> Outcome { return Refused{"no"}; });
  const Report report = run(options, strict);
  EXPECT_EQ(report.diverges, 5u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "refuses-legal-program-no");
}

TEST(Run, NamesAWrongResultInActiveLanesAsArithmetic) {
  RunOptions options;
  options.cases = 2000;
  options.mix.boundaries_first = false;
  const Backend off_by_one =
      function_backend("off by one", "", [example = find_backend("example")](const Program& p, State& s) {
        Outcome outcome = example.run(p, s);
        for (const Instruction& i : p.instructions)
          if (i.op == Op::adds && i.dst_type == Element::i32 && i.repeat > 0 && p.instructions.size() < 3)
            s.ub[start_of(p, i.operands[0])] ^= std::byte{1};
        return outcome;
      });
  const Report report = run(options, off_by_one);
  ASSERT_FALSE(report.findings.empty());
}

TEST(Run, StopsAtACaseBoundaryAndSaysThatItWasInterrupted) {
  RunOptions options;
  options.cases = 1000;
  unsigned asked = 0;
  RunHooks hooks;
  hooks.stop = [&] { return ++asked > 10; };
  const Report report = run(options, find_backend("example"), hooks);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.done, 10u);
}

}  // namespace
}  // namespace lanecheck
