// Runs of many cases: agreement of the two implementations, and naming under many probes.
#include <gtest/gtest.h>

#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace {

TEST(Run, TheExampleSimulatorAgreesWithTheOracleAndEveryRuleIsExercised) {
  RunOptions options;
  options.seed = 2;
  const Report report = run(options, find_backend("example"));
  EXPECT_EQ(report.conforms, options.cases);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(never_exercised(report).empty());
  EXPECT_EQ(exit_code(report), 0);
}

TEST(Run, NoMutantIsNamedThatPredictsAFaultWhereThereIsNone) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  Backend sticky =  // like several mutants on a single program, like no mutant on most programs
      function_backend("lane 63 is always on", "", [](const Program& p, State& s) -> Outcome {
        Program wider = p;
        for (Instruction& insn : wider.instructions)
          if (insn.op == Op::set_mask) insn.low |= std::uint64_t{1} << 63;
        execute(wider, Semantics(), s);
        State documented;
        execute(p, Semantics(), documented);
        s.mask = documented.mask;
        return Ran{};
      });
  sticky.reports_refusals = false;
  const Report report = run(options, sticky);
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) EXPECT_EQ(find_mutant(finding.id), nullptr) << finding.id;
}

}  // namespace
}  // namespace lanecheck
