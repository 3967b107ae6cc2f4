// Two backends against each other.
#include "fuzz/run/differential_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/find_backend.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/find_fault.h"
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
  EXPECT_EQ(report.element_checks, 0u);
  EXPECT_FALSE(report.skip_reasons.empty());
}

/// Runs illegal programs too, without changing anything.
Backend lax_backend() {
  return function_backend("lax", "", [](const Program& program, State& state) -> Outcome {
    state = {program.ub};
    if (!find_fault(program)) execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

TEST(DifferentialRun, AProgramThatWasLegalOnlyWithWhatIsNotOfferedIsSkipped) {
  std::uint64_t skipped = 0;
  for (const Row& left_out : instruction_table()) {
    if (left_out.mask != MaskUse::is_mask_state) continue;
    RunOptions options;
    options.mix.profile = Profile::a2;
    options.readings = default_readings(Profile::a2);
    options.first = cases_with_boundaries(Profile::a2);
    options.cases = 500;
    Backend partial = lax_backend();
    partial.capabilities.everything = false;
    for (const Row& each : instruction_table())
      if (each.op != left_out.op)
        partial.capabilities.rows.push_back({std::string(each.name), "", "", "", ""});
    const Report report = run_differential(options, partial, find_backend("oracle"), false);
    EXPECT_TRUE(report.findings.empty()) << left_out.name << ": " << report.findings.front().what;
    EXPECT_EQ(report.skipped > 0, !report.skip_reasons.empty()) << left_out.name;
    skipped += report.skipped;
  }
  EXPECT_GT(skipped, 0u);
}

TEST(DifferentialRun, ASkippedCaseSaysWhyAndCountsNoElements) {
  const Backend shy =
      function_backend("shy", "", [](const Program&, State&) -> Outcome { return Skipped{"on holiday"}; });
  const Report report = run_differential(drawn(10), find_backend("oracle"), shy, false);
  EXPECT_EQ(report.skipped, 10u);
  EXPECT_EQ(report.skip_reasons, std::vector<std::string>{"on holiday"});
  EXPECT_EQ(report.element_checks, 0u);
}

}  // namespace
}  // namespace lanecheck
