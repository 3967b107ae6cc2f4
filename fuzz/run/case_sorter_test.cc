// Failing cases, sorted into buckets: one finding for each cause, every case counted once.
#include "fuzz/run/case_sorter.h"

#include <gtest/gtest.h>

#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Program program_with(unsigned char first) {
  Program program;
  program.ub.assign(32, std::byte{first});
  return program;
}

/// Breaks on every program, with a text that depends on the first byte of UB.
const Backend& breaking_backend() {
  static const Backend backend =
      function_backend("breaking", "", [](const Program& program, State&) -> Outcome {
        return Errored{program.ub[0] == std::byte{1} ? "crash" : "hang"};
      });
  return backend;
}

class CaseSorterTest : public testing::Test {
 protected:
  Verdict sort(CaseSorter& sorter, std::uint64_t index, const char* failure) {
    const Outcome outcome = Errored{failure};
    const State state;
    const AnswerView answer{outcome, state};
    return sorter.sort({index, program_with(failure == std::string("crash") ? 1 : 2), {&answer, 1}});
  }

  RunOptions options_;
  RunHooks hooks_;
};

TEST_F(CaseSorterTest, CasesWithTheSameFailureShareABucket) {
  CaseSorter sorter(options_, breaking_backend(), hooks_);
  EXPECT_EQ(sort(sorter, 10, "crash"), Verdict::errored);
  EXPECT_EQ(sort(sorter, 11, "hang"), Verdict::errored);
  EXPECT_EQ(sort(sorter, 12, "crash"), Verdict::errored);
  const auto findings = sorter.take_findings();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].id, "backend-failure-crash");
  EXPECT_EQ(findings[0].cases, 2u);
  EXPECT_EQ(findings[0].first_case, 10u);
  EXPECT_EQ(findings[1].cases, 1u);
}

TEST_F(CaseSorterTest, AFindingIsReportedOnceAndAtOnce) {
  std::vector<std::string> reported;
  hooks_.on_finding = [&](const Finding& finding) {
    EXPECT_EQ(finding.cases, 1u);
    reported.push_back(finding.id);
  };
  CaseSorter sorter(options_, breaking_backend(), hooks_);
  sort(sorter, 10, "crash");
  EXPECT_EQ(reported, std::vector<std::string>{"backend-failure-crash"});
  sort(sorter, 11, "crash");
  EXPECT_EQ(reported.size(), 1u);
}

TEST_F(CaseSorterTest, PastTheLimitACaseIsCountedButNotAnalysed) {
  options_.most_findings = 1;
  CaseSorter sorter(options_, breaking_backend(), hooks_);
  sort(sorter, 10, "crash");
  EXPECT_EQ(sort(sorter, 11, "hang"), Verdict::errored);
  EXPECT_EQ(sorter.findings(), 1u);
  EXPECT_EQ(sorter.unlisted(), 1u);
}

TEST_F(CaseSorterTest, AFailureThatDoesNotComeBackIsNamedNotRepeatable) {
  const Backend conforming = function_backend("conforming", "", [](const Program& program, State& state) {
    state = {program.ub};
    return Outcome(Ran{});
  });
  CaseSorter sorter(options_, conforming, hooks_);
  EXPECT_EQ(sort(sorter, 10, "crash"), Verdict::errored);
  const auto findings = sorter.take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].id, "not-repeatable");
}

TEST_F(CaseSorterTest, ARefusalAtAnEdgeNamesTheLegalityRuleOfTheEdge) {
  const Backend strict =
      function_backend("strict", "", [](const Program&, State&) -> Outcome { return Refused{"too long"}; });
  CaseSorter sorter(options_, strict, hooks_);
  const Outcome outcome = Refused{"too long"};
  const State state;
  const LegalityRule& rule = legality_rules().front();
  const AnswerView answer{outcome, state};
  FailedCase failed(10, program_with(1), {&answer, 1});
  failed.edge = &rule;
  EXPECT_EQ(sorter.sort(failed), Verdict::diverges);
  const auto findings = sorter.take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rules, std::vector<std::string>{std::string(rule.id)});
}

/// One case shows the cause in f16. The instruction has it in i16 too, not in its other types.
TEST_F(CaseSorterTest, OtherElementTypesOfTheInstructionAreMeasuredToo) {
  const Backend least = function_backend("least", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::vmax && size_of(insn.dst_type) == 2) insn.op = Op::vmin;
    execute(program, Semantics{}, state);
    return Ran{};
  });
  const Program program = parse_program(R"(
ub 800
alloc d f16 0 256 = 7 x128
alloc a f16 256 256 = 1 x128
alloc b f16 512 256 = 2 x128
vmax.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
                                        "test");
  CaseSorter sorter(options_, least, hooks_);
  State state;
  const Outcome outcome = least.run(program, state);
  const AnswerView answer{outcome, state};
  EXPECT_EQ(sorter.sort({10, program, {&answer, 1}}), Verdict::diverges);
  Report report;
  sorter.write_into(report);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].what, "vmax.f16 computes as vmin.f16 does; also in vmax of i16");
}

}  // namespace
}  // namespace lanecheck
