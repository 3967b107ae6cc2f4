// One program judged outside a run, and the reasons why a backend skips one.
#include "fuzz/run/judge.h"

#include <gtest/gtest.h>

#include "fuzz/run/find_backend.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// Lane 0 of the first instruction is masked off and holds 5; the sum of the other 63 lanes is 63.
constexpr std::string_view kSum = R"(
ub 384
alloc d f32 0 32 = 7 x8
alloc s f32 64 256 = 5, 1 x63
set_mask high=0x0 low=0xfffffffffffffffe
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";
// No lane is on: what the sum writes is the reading empty_reduction.
constexpr std::string_view kEmptySum = R"(
ub 384
alloc d f32 0 32 = 7 x8
alloc s f32 64 256 = 5, 1 x63
set_mask high=0x0 low=0x0
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";
// A repeat of 256 is out of range.
constexpr std::string_view kIllegal = R"(
ub 8448
alloc d f32 0 256
alloc s f32 256 8192
adds.f32 d+0 blk=1 rep=0, s+0 blk=1 rep=0, scalar=1, repeat=256
)";

Program program_of(std::string_view text) {
  return parse_program(text, "test");
}

TEST(Judge, FindsNothingOnABackendThatConforms) {
  EXPECT_FALSE(judge(program_of(kSum), {}, find_backend("example")));
}

TEST(Judge, NamesTheMutantThatTheProgramCatches) {
  const auto finding = judge(program_of(kSum), {}, find_backend("wrong:cadd-keeps-dst"));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->verdict, Verdict::diverges);
  EXPECT_EQ(finding->id, "cadd-keeps-dst");
  EXPECT_EQ(finding->cases, 1u);
}

TEST(Judge, MinimizesOnlyIfItIsAskedTo) {
  RunOptions options;
  options.minimize = false;
  const auto whole = judge(program_of(kSum), options, find_backend("wrong:cadd-keeps-dst"));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->program, program_of(kSum));
  EXPECT_EQ(whole->tries, 0u);
}

TEST(Judge, ExpectsARefusalOfAnIllegalProgram) {
  const Program illegal = program_of(kIllegal);
  const LegalityRule* rule = find_legality_rule("LAW-repeat-range");
  ASSERT_NE(rule, nullptr);
  EXPECT_FALSE(judge(illegal, {}, find_backend("example")));
  const auto finding = judge(illegal, {}, accepting_backend(*rule));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "accepts-illegal-LAW-repeat-range");
  Backend silent = accepting_backend(*rule);
  silent.reports_refusals = false;
  EXPECT_FALSE(judge(illegal, {}, silent)) << "a backend that reports no refusals is not judged on them";
}

/// Options of profile A2 that pin the reading on which the result of kEmptySum depends, against its default.
RunOptions other_profile_pins_empty_reduction() {
  RunOptions options;
  options.mix.profile = Profile::a2;
  options.readings = default_readings(Profile::a2);
  options.readings.empty_reduction = EmptyReduction::writes_neutral;
  options.pinned = {"empty_reduction"};
  return options;
}

TEST(Judge, UsesTheDefaultReadingsOfTheProgramsOwnProfile) {
  RunOptions options = other_profile_pins_empty_reduction();
  EXPECT_FALSE(judge(program_of(kEmptySum), options, find_backend("oracle")));
  options.mix.profile = Profile::vmc;
  EXPECT_TRUE(judge(program_of(kEmptySum), options, find_backend("oracle")))
      << "the result depends on the reading";
}

TEST(Judge, LeavesTheReadingsOfTheProgramsOwnProfileUnpinned) {
  const RunOptions options = other_profile_pins_empty_reduction();
  const Backend backend = oracle_backend("writes the neutral element", [](Profile profile) {
    Readings readings = default_readings(profile);
    readings.empty_reduction = EmptyReduction::writes_neutral;
    return Semantics(readings);
  });
  const auto finding = judge(program_of(kEmptySum), options, backend);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->id, "empty_reduction=writes_neutral");
  EXPECT_EQ(finding->verdict, Verdict::undecided);
}

TEST(Skips, SaysNothingIfTheBackendRunsTheProgram) {
  EXPECT_EQ(skips(program_of(kSum), find_backend("example")), std::nullopt);
}

TEST(Skips, NamesAProfileThatIsNotOnOffer) {
  Backend backend = find_backend("example");
  backend.profiles = {"tik"};
  EXPECT_EQ(skips(program_of(kSum), backend), "profile vmc is not on offer");
}

TEST(Skips, NamesAnInstructionThatIsNotOnOffer) {
  Backend backend = find_backend("example");
  backend.capabilities = {false, {{"set_mask", "", "", "", ""}}};
  EXPECT_EQ(skips(program_of(kSum), backend), "cadd.f32 is not on offer");
}

TEST(Skips, LeavesIllegalProgramsToBackendsThatReportRefusals) {
  Backend backend = find_backend("example");
  EXPECT_EQ(skips(program_of(kIllegal), backend), std::nullopt);
  backend.reports_refusals = false;
  EXPECT_EQ(skips(program_of(kIllegal), backend), "it does not report refusals");
}

TEST(Skips, PassesOnTheReasonThatTheBackendGives) {
  const Backend shy =
      function_backend("shy", "", [](const Program&, State&) -> Outcome { return Skipped{"on holiday"}; });
  EXPECT_EQ(skips(program_of(kSum), shy), "on holiday");
}

}  // namespace
}  // namespace lanecheck
