#include "fuzz/recheck/recheck.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "fuzz/recheck/fresh_programs.h"
#include "fuzz/run/find_backend.h"
#include "reports/json_report.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

SavedCases found_by(const std::string& backend, std::uint64_t cases = 1000) {
  RunOptions options;
  options.cases = cases;
  return parse_saved_cases(report_text(run(options, find_backend(backend))), "run");
}

Rechecked recheck_with(const SavedCases& saved, const std::string& id, const Backend& backend) {
  return recheck(saved, case_of(saved, id), options_of(saved), backend);
}

TEST(Recheck, TellsFixedFromStill) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  EXPECT_EQ(recheck_with(saved, "cadd-keeps-dst", find_backend("wrong:cadd-keeps-dst")).now,
            FindingNow::still);
  const Rechecked fixed = recheck_with(saved, "cadd-keeps-dst", find_backend("example"));
  EXPECT_EQ(fixed.now, FindingNow::fixed);
  EXPECT_EQ(fixed.programs, 102u);
}

/// `is_wrong` says which programs of a process are wrong, by their number in it: 1, 2, ...
Backend wrong_by_number(const std::function<bool(unsigned number)>& is_wrong) {
  const auto programs = std::make_shared<unsigned>(0);
  Backend backend = function_backend("stale", "", [=](const Program& program, State& state) {
    Outcome outcome = find_backend("example").run(program, state);
    if (is_wrong(++*programs) && !state.ub.empty()) state.ub[0] ^= std::byte{0xff};
    return outcome;
  });
  backend.restart = [programs] { *programs = 0; };
  return backend;
}

Backend right_only_at_first() {
  return wrong_by_number([](unsigned number) { return number > 1; });
}

Backend wrong_only_at_first() {
  return wrong_by_number([](unsigned number) { return number == 1; });
}

Backend always_wrong() {
  return wrong_by_number([](unsigned) { return true; });
}

SavedCases found_in_40(const Backend& backend) {
  RunOptions options;
  options.cases = 40;
  options.illegal_in_32 = 0;
  return parse_saved_cases(report_text(run(options, backend)), "run");
}

TEST(Recheck, StartsAProcessForAProgramThatIsWrongAsTheFirstOne) {
  const SavedCases saved = found_in_40(wrong_only_at_first());
  ASSERT_EQ(saved.findings.size(), 1u);
  ASSERT_EQ(saved.findings[0].id, "state-first-program");
  const Rechecked still = recheck_with(saved, "state-first-program", wrong_only_at_first());
  EXPECT_EQ(still.now, FindingNow::still);
  EXPECT_EQ(still.shown_by, "the smallest program as the first one of a process");
  EXPECT_EQ(recheck_with(saved, "state-first-program", find_backend("example")).now, FindingNow::fixed);
  EXPECT_NE(recheck_with(saved, "state-first-program", always_wrong()).now, FindingNow::still);
}

TEST(Recheck, RunsTheProgramsBeforeAStateDependentProgram) {
  const SavedCases saved = found_in_40(right_only_at_first());
  ASSERT_EQ(saved.findings.size(), 1u);
  const SavedCase& finding = saved.findings[0];
  EXPECT_EQ(finding.repeats, "state-dependent");
  ASSERT_EQ(finding.before.size(), 1u);
  const Rechecked still = recheck_with(saved, finding.id, right_only_at_first());
  EXPECT_EQ(still.now, FindingNow::still);
  EXPECT_EQ(still.shown_by, "the smallest program after the programs before it");
  EXPECT_EQ(recheck_with(saved, finding.id, find_backend("example")).now, FindingNow::fixed);
  EXPECT_EQ(recheck_with(saved, finding.id, always_wrong()).now, FindingNow::changed);
}

TEST(Recheck, AnotherCauseIsAChange) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  const Rechecked changed = recheck_with(saved, "cadd-keeps-dst", find_backend("wrong:cadd-ignores-mask"));
  EXPECT_EQ(changed.now, FindingNow::changed);
  EXPECT_EQ(changed.other, std::vector<std::string>{"cadd-ignores-mask"});
}

// The fault is repaired for the smallest program and the first case alone.
TEST(Recheck, FreshProgramsShowAFaultThatWasRepairedForOneProgram) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  unsigned asked = 0;
  const Backend repaired =
      function_backend("repaired", "",
                       [&, right = find_backend("example"), wrong = find_backend("wrong:cadd-keeps-dst")](
                           const Program& program, State& state) {
                         return ++asked <= 2 ? right.run(program, state) : wrong.run(program, state);
                       });
  const Rechecked still = recheck_with(saved, "cadd-keeps-dst", repaired);
  EXPECT_EQ(still.now, FindingNow::still);
  EXPECT_EQ(still.shown_by, "the smallest program with other data");
}

TEST(Recheck, ABackendThatOffersNothingIsNotCalledFixed) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  Backend other = find_backend("example");
  other.profiles = {"tik"};
  EXPECT_EQ(recheck_with(saved, "cadd-keeps-dst", other).now, FindingNow::not_asked);
}

TEST(Recheck, ABackendThatSkipsEverythingIsNotCalledFixed) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  const Backend mute =
      function_backend("mute", "", [](const Program&, State&) { return Skipped{"not written yet"}; });
  const Rechecked now = recheck_with(saved, "cadd-keeps-dst", mute);
  EXPECT_EQ(now.now, FindingNow::not_asked);
  EXPECT_EQ(now.shown_by, "not written yet");
  EXPECT_EQ(now.programs, 0u);
}

/// A backend that is right, except for its answer to the second program: the first case.
Backend second_answer(Outcome second) {
  const auto asked = std::make_shared<unsigned>(0);
  return function_backend("second", "",
                          [=, right = find_backend("example")](const Program& program, State& state) {
                            return ++*asked == 2 ? second : right.run(program, state);
                          });
}

TEST(Recheck, ProgramsThatWereSkippedAreNotCounted) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  const Rechecked now = recheck_with(saved, "cadd-keeps-dst", second_answer(Skipped{"not now"}));
  EXPECT_EQ(now.now, FindingNow::fixed);
  EXPECT_EQ(now.programs, 101u);
}

TEST(Recheck, ACrashInTheFirstCaseAloneIsAFailure) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  EXPECT_TRUE(recheck_with(saved, "cadd-keeps-dst", second_answer(Errored{"killed", true})).failed);
}

TEST(Recheck, AFindingAboutACaseFileIsNotAsked) {
  SavedCases saved = found_by("wrong:cadd-keeps-dst");
  saved.findings.front().id = "expectation-VMC-3.3-cadd";
  saved.findings.front().other = "the file";
  EXPECT_EQ(recheck_with(saved, "expectation-VMC-3.3-cadd", find_backend("example")).now,
            FindingNow::not_asked);
}

TEST(Recheck, AFindingAboutABrokenCaseFileIsNotAsked) {
  SavedCases saved = found_by("wrong:cadd-keeps-dst");
  saved.findings.front().first_file = LANECHECK_SOURCE_DIR "/CMakeLists.txt";
  const Rechecked now = recheck_with(saved, "cadd-keeps-dst", find_backend("example"));
  EXPECT_EQ(now.now, FindingNow::not_asked);
  EXPECT_NE(now.shown_by.find("CMakeLists.txt"), std::string::npos);
}

TEST(Recheck, AFindingAboutACaseFileIsJudgedUnderItsReadingsAndProfile) {
  Case c = load_case(LANECHECK_SOURCE_DIR "/corpus/VMC-3.1-dup/f32.json");
  pin(c.readings, "empty_reduction=writes_neutral");
  RunOptions tik;
  tik.mix.profile = Profile::tik;
  tik.pinned = {"nothing"};
  const RunOptions own = options_of(c, tik);
  EXPECT_EQ(own.mix.profile, Profile::vmc);
  EXPECT_EQ(own.readings, c.readings);
  EXPECT_EQ(own.pinned, std::vector<std::string>{"empty_reduction"});
}

TEST(Recheck, AFindingOfAComparisonIsRefused) {
  SavedCases saved = found_by("wrong:cadd-keeps-dst");
  saved.findings.front().other = "example";
  EXPECT_THROW(recheck_with(saved, "cadd-keeps-dst", find_backend("example")), InputError);
}

TEST(Recheck, FreshProgramsAreLegalAndHoldTheInstruction) {
  const SavedCases saved = found_by("wrong:cadd-keeps-dst");
  const SavedCase& finding = case_of(saved, "cadd-keeps-dst");
  const auto programs = fresh_programs(saved, finding, Capabilities{}, 100);
  ASSERT_EQ(programs.size(), 100u);
  const std::string name = mnemonic(finding.smallest.program.instructions[finding.instruction]);
  std::size_t varied = 0;
  for (const FreshProgram& each : programs) {
    EXPECT_FALSE(find_fault(each.program));
    EXPECT_NE(print(each.program).find(name), std::string::npos);
    varied += each.varied ? 1u : 0u;
  }
  EXPECT_EQ(varied, 50u);
}

}  // namespace
}  // namespace lanecheck
