#include "reports/saved/saved_report.h"

#include <gtest/gtest.h>

#include <fstream>

#include "reports/json_report.h"
#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck {
namespace {

Finding finding(std::string id, Verdict verdict, std::string what) {
  Finding made;
  made.id = std::move(id);
  made.verdict = verdict;
  made.what = std::move(what);
  made.cases = 3;
  made.instructions = {"add.f16"};
  made.program.ub.resize(32);
  made.expected = made.actual = State{made.program.ub};
  return made;
}

Report report_with(std::vector<Finding> findings) {
  Report report;
  report.version = "1.2.3";
  report.backend = "sim";
  report.planned = report.done = 100;
  report.conforms = 90;
  report.rules = {{"VMC-3.1-dup", 7, 1, 0}};
  report.axes = {{"instruction", {{"add", 12}}}};
  report.findings = std::move(findings);
  return report;
}

SavedReport read_back(const Report& report) {
  return parse_saved_report(report_text(report), "r.json");
}

std::string complaint(std::string_view text) {
  try {
    parse_saved_report(text, "r.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

FindingState state_of(const std::string& id, Verdict verdict, const std::string& what, bool strict = false) {
  Report report = report_with({finding(id, verdict, what)});
  report.strict = strict;
  return read_back(report).findings.at(0).state;
}

TEST(SavedReport, HoldsWhatTheReportHeld) {
  Finding one = finding("dup-ignores-mask", Verdict::diverges, "dup writes masked-off lanes");
  one.rules = {"VMC-3.1-dup"};
  one.cause = "a-cause";
  const SavedReport saved = read_back(report_with({one}));
  EXPECT_EQ(saved.file, "r.json");
  EXPECT_EQ(saved.version, "1.2.3");
  EXPECT_EQ(saved.backend, "sim");
  EXPECT_EQ(saved.profile, "vmc");
  EXPECT_EQ(saved.seed, 0U);
  EXPECT_EQ(saved.done, 100U);
  EXPECT_EQ(saved.exercised.at("VMC-3.1-dup"), 7U);
  EXPECT_EQ(saved.instructions.at("add"), 12U);
  EXPECT_TRUE(saved.gaps.empty());
  const SavedFinding* found = find_finding(saved, "dup-ignores-mask");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->rules, std::set<std::string>{"VMC-3.1-dup"});
  EXPECT_EQ(found->instructions, std::set<std::string>{"add.f16"});
  EXPECT_EQ(found->cause, "a-cause");
  EXPECT_EQ(found->cases, 3U);
  EXPECT_EQ(find_finding(saved, "other"), nullptr);
}

TEST(SavedReport, TheStateOfAFindingFollowsFromItsVerdictAndKind) {
  EXPECT_EQ(state_of("x", Verdict::diverges, ""), FindingState::diverges);
  EXPECT_EQ(state_of("accepts-illegal-LAW-offered", Verdict::diverges, ""), FindingState::diverges);
  EXPECT_EQ(state_of("refuses-legal-program-no", Verdict::diverges, ""), FindingState::refused);
  EXPECT_EQ(state_of("backend-failure-killed-by-signal", Verdict::errored, ""), FindingState::crashed);
  EXPECT_EQ(state_of("backend-failure-missed-its-deadline", Verdict::errored, ""), FindingState::hung);
  EXPECT_EQ(state_of("not-repeatable", Verdict::errored, "broke in the run (missed its deadline of 2 s; ..."),
            FindingState::hung);
  EXPECT_EQ(state_of("not-repeatable", Verdict::errored, "broke in the run (killed; ..."),
            FindingState::crashed);
  EXPECT_EQ(state_of("not-repeatable", Verdict::diverges, "refused this program in the run (no), and ..."),
            FindingState::refused);
  EXPECT_EQ(state_of("empty_pair=zero", Verdict::undecided, ""), FindingState::conforms);
  EXPECT_EQ(state_of("empty_pair=zero", Verdict::undecided, "", true), FindingState::diverges);
}

TEST(SavedReport, TwoFindingsOfOneIdAreOneInTheWorseState) {
  const SavedReport saved =
      read_back(report_with({finding("not-repeatable", Verdict::errored, "broke in the run (killed"),
                             finding("not-repeatable", Verdict::diverges, "left another state in the run")}));
  ASSERT_EQ(saved.findings.size(), 1U);
  EXPECT_EQ(saved.findings[0].state, FindingState::crashed);
  EXPECT_EQ(saved.findings[0].cases, 6U);
}

TEST(SavedReport, NamesTheGapsOfARun) {
  Report report = report_with({});
  report.given_up = "it died 21 times";
  report.interrupted = true;
  report.unlisted = 2;
  report.doctor = {"the bytes are swapped"};
  const SavedReport saved = read_back(report);
  ASSERT_EQ(saved.gaps.size(), 4U);
  EXPECT_EQ(saved.gaps[0], "the run ended early: it died 21 times");
  EXPECT_EQ(saved.gaps[2], "2 failing cases belong to no listed finding");
  Report skipped = report_with({});
  skipped.conforms = 0;
  skipped.skipped = 100;
  EXPECT_EQ(read_back(skipped).gaps.at(0), "no case was judged");
}

TEST(SavedReport, ACutReportIsTruncatedWhereverItIsCut) {
  std::string text = report_text(report_with({finding("x", Verdict::diverges, "what")}));
  while (text.back() == '\n') text.pop_back();  // without its last line break a report is still whole
  EXPECT_EQ(complaint(text), "no complaint");
  unsigned cuts = 0;
  for (std::size_t length = 1; length < text.size(); length += 7, ++cuts)
    ASSERT_NE(complaint(text.substr(0, length)).find("is truncated"), std::string::npos)
        << length << ": " << complaint(text.substr(0, length));
  EXPECT_GT(cuts, 100U);
}

TEST(SavedReport, RefusesWhatIsNoReport) {
  EXPECT_EQ(complaint(""), "r.json: is empty, and no report of lanecheck");
  EXPECT_NE(complaint("hello").find("r.json:1: not JSON"), std::string::npos);
  EXPECT_NE(complaint("[]").find("expected an object, found array"), std::string::npos);
  EXPECT_NE(complaint("{}").find("is no report of lanecheck"), std::string::npos);
  EXPECT_NE(complaint(R"({"schema": "lanecheck-case-1"})").find("is no report of lanecheck: its schema is"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"schema": "lanecheck-report-1"})").find("this lanecheck reads lanecheck-report-3"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"schema": "lanecheck-report-3"})").find("missing field \"version\""),
            std::string::npos);
}

TEST(SavedReport, AMutatedReportIsReadOrRefusedByName) {
  const auto read = [](std::string_view text) { parse_saved_report(text, kMutatedFile); };
  const std::string good = report_text(report_with({finding("x", Verdict::diverges, "what")}));
  expect_reads_or_refuses(good, 1000, read);
  for (const char* place : {"/version", "/findings/0/measured", "/coverage/axes"})
    expect_refuses_depth(good, place, read);
}

TEST(SavedReport, RefusesAFolderAndAFileThatIsNotThere) {
  EXPECT_THROW(load_saved_report(testing::TempDir()), InputError);
  EXPECT_THROW(load_saved_report(testing::TempDir() + "/not/there.json"), InputError);
}

}  // namespace
}  // namespace lanecheck
