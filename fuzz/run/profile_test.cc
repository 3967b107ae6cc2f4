// Runs under each profile: conformance, refusals at the edge of legality, and known differences between the
// documents.
#include <gtest/gtest.h>

#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate_testing.h"
#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/blame.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

RunOptions at_the_edge(Profile profile, std::uint64_t cases) {
  RunOptions options = drawn(profile, cases);
  options.illegal_in_32 = 32;
  return options;
}

class EveryProfileRun : public testing::TestWithParam<Profile> {};
INSTANTIATE_TEST_SUITE_P(Profiles, EveryProfileRun, testing::ValuesIn(kEveryProfile), test_name_of);

TEST_P(EveryProfileRun, TheExampleSimulatorConformsAndIsJudgedOnRefusals) {
  const Report report = run(drawn(GetParam(), 6000), find_backend("example"));
  EXPECT_EQ(report.conforms, 6000u);
  EXPECT_GT(report.edge, 100u);
  for (const Finding& finding : report.findings)
    ADD_FAILURE() << finding.what << '\n' << print(finding.program);
}

// ASan and UBSan do the checking: a mutant may overwrite offsets, double strides or miscount.
TEST_P(EveryProfileRun, EveryHypothesisStaysInsideUb) {
  const Readings readings = default_readings(GetParam());
  const auto all = hypotheses(GetParam(), readings, {});
  const Mix mix = drawn(GetParam(), 0).mix;
  Program program;
  for (std::uint64_t index = 0; index < 300; ++index) {
    generate(11, index, mix, program);
    for (const Hypothesis& each : all) {
      State believed;
      execute(program, each.semantics, believed);
      ASSERT_TRUE(explains(each, program, believed, true)) << each.id << ", case " << index;
    }
  }
}

TEST_P(EveryProfileRun, TheExampleSimulatorRefusesJustOutsideAndRunsJustInside) {
  const Report report = run(at_the_edge(GetParam(), 1500), find_backend("example"));
  EXPECT_EQ(report.conforms, 1500u);
  EXPECT_EQ(report.edge, 1500u);
  for (const RuleCount& rule : report.legality_rules) EXPECT_GT(rule.exercised, 0u) << rule.id;
}

TEST_P(EveryProfileRun, ABackendThatDoesNotReportRefusalsGetsLegalProgramsOnly) {
  Backend backend = find_backend("oracle");
  backend.reports_refusals = false;
  const auto inner = backend.run;
  backend.run = [inner](const Program& program, State& state) {
    EXPECT_FALSE(find_fault(program)) << print(program);
    return inner(program, state);
  };
  const Report report = run(drawn(GetParam(), 2000), backend);
  EXPECT_EQ(report.edge, 0u);
  EXPECT_TRUE(report.legality_rules.empty());
}

/// A legality rule, and a profile in which it holds.
struct RuleInProfile {
  const LegalityRule* rule;
  Profile profile;
};

std::vector<RuleInProfile> rules_in_profiles() {
  std::vector<RuleInProfile> list;
  for (const LegalityRule& rule : legality_rules())
    for (const Profile profile : kEveryProfile)
      if (rule.tried() && rule.holds_in(profile)) list.push_back({&rule, profile});
  return list;
}

class EveryLegalityRule : public testing::TestWithParam<RuleInProfile> {};
INSTANTIATE_TEST_SUITE_P(Edge, EveryLegalityRule, testing::ValuesIn(rules_in_profiles()), [](const auto& of) {
  return as_test_name(std::string(of.param.rule->id) + "_in_" + std::string(row_of(of.param.profile).name));
});

TEST_P(EveryLegalityRule, IsNamedWithASmallProgramWhenABackendAcceptsWhatBreaksIt) {
  const auto& [rule, profile] = GetParam();
  RunOptions options = at_the_edge(profile, 4000);
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  const Backend backend = accepting_backend(*rule);
  Program program;
  std::optional<Finding> finding;
  for (std::uint64_t index = 0; index < 300 && !finding; ++index) {
    const EdgeCase edge = generate_at_edge(1, index, options.mix, program);
    if (edge.rule == rule && edge.outside) finding = judge(program, options, backend);
  }
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "accepts-illegal-" + std::string(rule->id));
  EXPECT_EQ(finding->verdict, Verdict::diverges);
  EXPECT_EQ(finding->rules, std::vector{std::string(rule->id)});
  EXPECT_LE(finding->program.instructions.size(), 2u) << print(finding->program);
  const auto fault = find_fault(finding->program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule, rule);
}

TEST(Refusal, OfALegalProgramIsAFindingOfItsOwn) {
  const Backend strict = function_backend(
      "strict", "", [oracle = find_backend("oracle")](const Program& program, State& state) -> Outcome {
        for (const Instruction& insn : program.instructions)
          if (insn.repeat == 255) return Refused{"repeat times above 254"};
        return oracle.run(program, state);
      });
  const Report report = run(at_the_edge(Profile::vmc, 1000), strict);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].matter, Matter::refusal);
  EXPECT_EQ(report.findings[0].id, "refuses-legal-program-repeat-times-above");
  ASSERT_FALSE(report.findings[0].rules.empty());
  EXPECT_EQ(report.findings[0].rules[0].substr(0, 4), "LAW-");
}

TEST(Refusal, OfAProgramThatAPinnedReadingForbidsConforms) {
  RunOptions options = drawn(Profile::tik, 3000);
  options.readings.tik_overlap = TikOverlap::never;
  options.pinned = {"tik_overlap"};
  unsigned refused = 0;
  const Backend strict = function_backend("strict", "", [&](const Program& program, State& state) -> Outcome {
    if (const auto fault = find_fault(program, options.readings)) {
      ++refused;
      return Refused{fault->what};
    }
    execute(program, Semantics(options.readings), state);
    return Ran{};
  });
  EXPECT_EQ(run(options, strict).conforms, 3000u);
  EXPECT_GT(refused, 200u);
}

TEST(Refusal, ThatDependsOnAnOpenReadingIsUndecided) {
  const Backend lenient =
      function_backend("lenient", "", [](const Program& program, State& state) -> Outcome {
        Readings readings = default_readings(program.profile);
        readings.zero_mask = ZeroMask::no_op;
        if (const auto fault = find_fault(program, readings)) return Refused{describe(program, *fault)};
        execute(program, Semantics(readings), state);
        return Ran{};
      });
  const Report report = run(at_the_edge(Profile::a2, 2000), lenient);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "zero_mask=no_op");
  EXPECT_EQ(report.findings[0].verdict, Verdict::undecided);
  EXPECT_EQ(report.diverges, 0u);
}

TEST(KnownDifference, ASelectThatIgnoresTheMaskInAscendCIsNamedAsWhatVmcSays) {
  const Backend dsl = oracle_backend("dsl", [](Profile profile) {
    Readings readings = default_readings(profile);
    readings.select_mask = MaskUseReading::ignores;
    return Semantics(readings);
  });
  const Report report = run(drawn(Profile::a2, 6000), dsl);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "select_mask=ignores");
  EXPECT_EQ(finding.verdict, Verdict::diverges);
  EXPECT_NE(finding.what.find("so profile vmc says, a known difference between the documents"),
            std::string::npos);
  EXPECT_LE(finding.program.instructions.size(), 2u) << print(finding.program);
}

}  // namespace
}  // namespace lanecheck
