// Two backends against each other.
#include "fuzz/run/differential_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/find_backend.h"
#include "oracle/mutants/mutant.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace {

RunOptions drawn(std::uint64_t cases) {
  RunOptions options;
  options.cases = cases;
  options.first = 137'088;
  return options;
}

TEST(DifferentialRun, TwoBackendsThatDoTheSameConform) {
  const Report report = run_differential(drawn(5000), find_backend("example"), find_backend("oracle"), false);
  EXPECT_EQ(report.conforms + report.undecided, 5000u);
  EXPECT_EQ(report.diverges, 0u);
  EXPECT_GT(report.undecided, 0u) << "NaN payloads differ somewhere";
  EXPECT_EQ(exit_code(report), 0);
}

TEST(DifferentialRun, ADifferenceIsNamedByItsInstructionAndByTheBackendThatTheDocumentsAllow) {
  const Report report =
      run_differential(drawn(5000), find_backend("wrong:cadd-keeps-dst"), find_backend("example"), false);
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "differs-cadd");
  EXPECT_EQ(finding.other, "example");
  EXPECT_EQ(finding.what, "the documents allow what example does, not what wrong:cadd-keeps-dst does");
  ASSERT_FALSE(finding.rules.empty());
  EXPECT_EQ(finding.rules.front(), "VMC-3.2-cadd-zero");
  EXPECT_LE(finding.program.instructions.size(), 2u);
  EXPECT_EQ(exit_code(report), 1);
  const Report turned =
      run_differential(drawn(5000), find_backend("example"), find_backend("wrong:cadd-keeps-dst"), false);
  ASSERT_EQ(turned.findings.size(), 1u);
  EXPECT_EQ(turned.findings[0].what,
            "the documents allow what example does, not what wrong:cadd-keeps-dst does");
}

TEST(DifferentialRun, ADifferenceThatTheDocumentsAllowIsAFindingOnlyBitwise) {
  const Report report = run_differential(drawn(2000), find_backend("example"), find_backend("oracle"), true);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].verdict, Verdict::undecided);
  EXPECT_EQ(report.findings[0].what, "the documents allow both results");
}

TEST(DifferentialRun, TwoBackendsThatAreWrongInTheSameWayAgree) {
  const Report report = run_differential(drawn(2000), find_backend("wrong:cadd-keeps-dst"),
                                         find_backend("wrong:cadd-keeps-dst"), false);
  EXPECT_EQ(report.diverges, 0u);
}

TEST(DifferentialRun, ARefusalOfOneOfThemIsADifference) {
  const Backend strict =
      function_backend("strict", "", [](const Program&, State&) -> Outcome { return Refused{"no"}; });
  const Report report = run_differential(drawn(10), strict, find_backend("example"), false);
  EXPECT_EQ(report.diverges, 10u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_NE(report.findings[0].what.find("strict refuses it (no); example runs it"), std::string::npos);
}

TEST(DifferentialRun, ABackendThatBreaksIsAFinding) {
  const Backend broken =
      function_backend("broken", "", [](const Program&, State&) -> Outcome { return Errored{"boom"}; });
  const Report report = run_differential(drawn(10), find_backend("example"), broken, false);
  EXPECT_EQ(report.errored, 10u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what, "broken breaks: boom");
  EXPECT_EQ(report.findings[0].cases, 10u);
  EXPECT_EQ(exit_code(report), 3);
}

TEST(DifferentialRun, TwoBackendsOfOneNameAreToldApart) {
  Backend wrong = find_backend("wrong:cadd-keeps-dst");
  wrong.name = "example";
  const Report report = run_differential(drawn(5000), wrong, find_backend("example"), false);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what,
            "the documents allow what example (the second) does, not what example (the first) does");
}

TEST(DifferentialRun, ShowsTheMaskOperandOfTheInstruction) {
  RunOptions options = drawn(4000);
  options.mix.profile = Profile::tik;
  options.readings = default_readings(Profile::tik);
  const auto mutant =
      std::ranges::find_if(mutants(), [](const Mutant& each) { return each.exists_in(Profile::tik); });
  const Report report =
      run_differential(options, find_backend("wrong:" + mutant->id), find_backend("oracle"), false);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings[0];
  ASSERT_LT(finding.instruction, finding.program.instructions.size());
  const Instruction& insn = finding.program.instructions[finding.instruction];
  const MaskWords words = operand_words(insn, options.readings);
  EXPECT_EQ(mask_word(finding.mask_before, 0), words.low);
  EXPECT_EQ(mask_word(finding.mask_before, 1), words.high);
}

TEST(DifferentialRun, OnlyInstructionsThatBothOfferAreRun) {
  Backend little = find_backend("example");
  little.capabilities = {false, {{"add", "", "", "", ""}}};
  Backend other = find_backend("oracle");
  other.capabilities = {false, {{"sub", "", "", "", ""}}};
  const Report report = run_differential(drawn(100), little, other, false);
  EXPECT_EQ(report.skipped, 100u);
  EXPECT_NE(exit_code(report), 0) << "nothing was judged";
}

}  // namespace
}  // namespace lanecheck
