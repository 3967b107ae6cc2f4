#include "reports/known/check_known_failures.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/known/known_failures_testing.h"

namespace lanecheck {
namespace check_known_failures_test {

constexpr FindingState kStates[] = {FindingState::conforms, FindingState::diverges, FindingState::refused,
                                    FindingState::crashed, FindingState::hung};
const std::string kToday = "2026-03-01";

KnownFailuresCheck check(std::vector<KnownFailure> entries, const SavedReport& report) {
  return check_known_failures({"known.json", std::move(entries)}, report, kToday);
}

/// "changed x" for the one line that the check must have.
std::string only_line(const KnownFailuresCheck& check) {
  if (check.lines.size() != 1) return std::to_string(check.lines.size()) + " lines";
  return std::string(name_of(check.lines[0].transition)) + " " + check.lines[0].id;
}

TEST(CheckKnownFailures, EveryPairOfStatesHasATransition) {
  // Rows: expected. Columns: found. By the definitions of the words, not by the code.
  const char* const kTable[5][5] = {
      {"conforms", "new failure", "new failure", "new failure", "new failure"},
      {"fixed", "known failure", "changed", "changed", "changed"},
      {"fixed", "changed", "known failure", "changed", "changed"},
      {"fixed", "changed", "changed", "known failure", "changed"},
      {"fixed", "changed", "changed", "changed", "known failure"},
  };
  for (unsigned expected = 0; expected < 5; ++expected)
    for (unsigned now = 0; now < 5; ++now) {
      std::vector<SavedFinding> findings;
      if (kStates[now] != FindingState::conforms) findings = {a_finding("x", kStates[now])};
      const auto checked = check({an_entry("x", kStates[expected])}, a_report(findings));
      const std::string wanted = kTable[expected][now];
      EXPECT_EQ(only_line(checked), wanted + " x") << expected << ' ' << now;
      EXPECT_EQ(passes(checked, false), expected == now) << expected << ' ' << now;
      EXPECT_EQ(passes(checked, true), expected == now || wanted == "fixed") << expected << ' ' << now;
    }
}

TEST(CheckKnownFailures, AFailureWithoutAnEntryIsNewInEveryState) {
  for (const FindingState state : kStates) {
    const auto checked = check({}, a_report({a_finding("x", state)}));
    if (state == FindingState::conforms) {
      EXPECT_TRUE(checked.lines.empty());
      EXPECT_TRUE(passes(checked, false));
    } else {
      EXPECT_EQ(only_line(checked), "new failure x");
      EXPECT_FALSE(passes(checked, true));
    }
  }
}

TEST(CheckKnownFailures, AFailureThatIsInTheSameInstructionUnderAnotherIdChanged) {
  // The id of a crash is not that of a wrong result.
  const auto checked =
      check({an_entry("x")}, a_report({a_finding("backend-failure-killed", FindingState::crashed)}));
  EXPECT_EQ(only_line(checked), "changed x");
  EXPECT_NE(checked.lines[0].sentence.find("backend-failure-killed (crashed)"), std::string::npos);
  EXPECT_FALSE(passes(checked, true));
  SavedFinding elsewhere = a_finding("backend-failure-killed", FindingState::crashed);
  elsewhere.instructions = {"sub.f16"};
  const auto apart = check({an_entry("x")}, a_report({elsewhere}));
  ASSERT_EQ(apart.lines.size(), 2U);
  EXPECT_EQ(apart.lines[0].transition, Transition::new_failure);
  EXPECT_EQ(apart.lines[1].transition, Transition::fixed);
}

TEST(CheckKnownFailures, WhatWasNotExercisedIsNotFixed) {
  const auto why = [](KnownFailure entry, const SavedReport& report) {
    const auto checked = check({std::move(entry)}, report);
    EXPECT_TRUE(passes(checked, false));
    EXPECT_EQ(only_line(checked), "not exercised x");
    return checked.lines[0].sentence;
  };
  KnownFailure of_rule = an_entry("x");
  of_rule.rules.insert("R-never");
  EXPECT_EQ(why(of_rule, a_report()), "no case exercised the rule R-never");
  KnownFailure of_instruction = an_entry("x");
  of_instruction.instructions = {"mul.f16"};
  EXPECT_EQ(why(of_instruction, a_report()), "no case ran mul.f16");
  SavedReport brief = a_report();
  brief.done = 100;  // 30 in 1,000 are 3 in 100: none of them by chance in 5 of 100 runs
  EXPECT_EQ(why(an_entry("x"), brief), "it was seen in 30 of 1,000 cases, and 100 cases are too few to tell");
  brief.done = 200;  // in 2 of 1,000 runs
  EXPECT_EQ(only_line(check({an_entry("x")}, brief)), "fixed x");
}

TEST(CheckKnownFailures, AnIncompleteReportFailsAndFixesNothing) {
  SavedReport report = a_report();
  report.gaps = {"the run was interrupted"};
  const auto checked = check({an_entry("x")}, report);
  ASSERT_EQ(checked.lines.size(), 2U);
  EXPECT_EQ(checked.lines[0].transition, Transition::incomplete);
  EXPECT_EQ(checked.lines[0].sentence, "the run was interrupted");
  EXPECT_EQ(checked.lines[1].transition, Transition::not_exercised);
  EXPECT_FALSE(passes(checked, true));
}

TEST(CheckKnownFailures, AnEntryHoldsUntilTheEndOfItsDay) {
  KnownFailure entry = an_entry("x");
  const SavedReport failing = a_report({a_finding("x")});
  entry.expires = kToday;
  EXPECT_EQ(only_line(check({entry}, failing)), "known failure x");
  entry.expires = "2026-02-28";
  const auto expired = check({entry}, failing);
  EXPECT_EQ(only_line(expired), "expired x");
  EXPECT_EQ(expired.lines[0].sentence, "the entry expired on 2026-02-28: a reason");
  EXPECT_FALSE(passes(expired, true));
  EXPECT_EQ(only_line(check({entry}, a_report())), "fixed x");
}

TEST(CheckKnownFailures, AnEntryOfWhichTheReportKnowsNothingIsUnknown) {
  KnownFailure without = an_entry("typo");
  without.rules.clear();
  without.instructions.clear();
  const auto checked = check({without}, a_report());
  EXPECT_EQ(only_line(checked), "unknown typo");
  EXPECT_FALSE(passes(checked, true));
  KnownFailure gone = an_entry("x");
  gone.rules = {"R-of-old"};
  EXPECT_EQ(only_line(check({gone}, a_report())), "unknown x");
}

TEST(CheckKnownFailures, ASplitEntryIsOneLine) {
  const auto checked = check({an_entry("x")}, a_report({a_finding("x-1"), a_finding("x-2")}));
  EXPECT_EQ(only_line(checked), "split x");
  EXPECT_NE(checked.lines[0].sentence.find("x-1 (diverges), x-2 (diverges)"), std::string::npos);
  EXPECT_FALSE(passes(checked, true));
}

TEST(CheckKnownFailures, MergedEntriesAreOneLine) {
  const auto checked = check({an_entry("x-1"), an_entry("x-2")}, a_report({a_finding("x")}));
  EXPECT_EQ(only_line(checked), "merged x");
  EXPECT_NE(checked.lines[0].sentence.find("x-1, x-2"), std::string::npos);
  EXPECT_FALSE(passes(checked, true));
}

TEST(CheckKnownFailures, ARenamedEntryIsOneLine) {
  const auto checked = check({an_entry("old")}, a_report({a_finding("new")}));
  EXPECT_EQ(only_line(checked), "renamed old");
  EXPECT_FALSE(passes(checked, true));
}

TEST(CheckKnownFailures, AnotherRuleInTheSameInstructionIsANewFailure) {
  SavedFinding other = a_finding("y");
  other.rules = {"R-2"};
  const auto checked = check({an_entry("x")}, a_report({other}));
  ASSERT_EQ(checked.lines.size(), 2U);
  EXPECT_EQ(checked.lines[0].transition, Transition::new_failure);
  EXPECT_EQ(checked.lines[1].transition, Transition::fixed);
}

TEST(CheckKnownFailures, EntriesOfOtherBackendsAndProfilesDoNotCount) {
  KnownFailure of_chip = an_entry("x"), of_tik = an_entry("x");
  of_chip.backends = {"chip"};
  of_tik.profiles = {"tik"};
  const auto checked = check({of_chip, of_tik}, a_report({a_finding("x")}));
  EXPECT_EQ(only_line(checked), "new failure x");
  EXPECT_EQ(checked.elsewhere, 2U);
  KnownFailure of_both = an_entry("x");
  of_both.backends = {"chip", "sim"};
  EXPECT_EQ(only_line(check({of_both}, a_report({a_finding("x")}))), "known failure x");
}

TEST(CheckKnownFailures, PrintsOneLineEachAndTheNumbers) {
  std::ostringstream out;
  KnownFailure elsewhere = an_entry("z");
  elsewhere.backends = {"chip"};
  print_check(out, check({an_entry("x"), elsewhere}, a_report({a_finding("x"), a_finding("y\033[31m")})),
              false);
  EXPECT_EQ(
      out.str(),
      "new failure: y?[31m: diverges in 30 cases: does something\n"
      "known failure: x: a reason\n"
      "not as expected: 1 new failure, 1 known failure; 1 entry holds for other backends or profiles\n");
}

}  // namespace check_known_failures_test
}  // namespace lanecheck
