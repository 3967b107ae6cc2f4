#include "reports/compared/compare_reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/compared/show_comparison.h"
#include "reports/schema_testing.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

SavedFinding finding(std::string id, std::set<std::string> instructions,
                     FindingState state = FindingState::diverges) {
  SavedFinding made;
  made.id = std::move(id);
  made.state = state;
  made.what = "does something";
  made.rules = {"R-1"};
  made.instructions = std::move(instructions);
  made.cases = 4;
  return made;
}

SavedReport report(const std::string& backend, std::vector<SavedFinding> findings) {
  SavedReport made;
  made.file = backend + ".json";
  made.version = "1";
  made.backend = backend;
  made.profile = "vmc";
  made.planned = made.done = 1000;
  made.exercised = {{"R-1", 9}};
  made.findings = std::move(findings);
  return made;
}

/// `shared` is in all three; the chip crashes where the simulators diverge.
std::vector<SavedReport> three_reports() {
  return {report("sim", {finding("of-sim", {"add.f16"}), finding("shared", {"add.f16", "sub.i8"})}),
          report("camodel", {finding("shared", {"sub.i8"})}),
          report("chip",
                 {finding("of-chip", {"mul.f16"}), finding("shared", {"sub.i8"}, FindingState::crashed)})};
}

std::vector<std::string> ids_of(const ReportComparison& comparison) {
  std::vector<std::string> ids;
  for (const ComparedFinding& each : comparison.findings) ids.push_back(each.id);
  return ids;
}

template <class Change>
std::string complaint(Change change, bool other_cases = false) {
  std::vector<SavedReport> reports = {report("a", {}), report("b", {})};
  change(reports[1]);
  try {
    compare_reports(reports, other_cases);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(CompareReports, SaysWhichReportHasWhichFinding) {
  const ReportComparison comparison = compare_reports(three_reports(), false);
  EXPECT_EQ(comparison.names, (std::vector<std::string>{"sim", "camodel", "chip"}));
  ASSERT_EQ(ids_of(comparison), (std::vector<std::string>{"of-chip", "of-sim", "shared"}));
  const ComparedFinding& shared = comparison.findings[2];
  EXPECT_EQ(shared.failing(), 3U);
  EXPECT_EQ(shared.in[0].state, FindingState::diverges);
  EXPECT_EQ(shared.in[2].state, FindingState::crashed);
  EXPECT_EQ(shared.in[2].cases, 4U);
  EXPECT_EQ(shared.instructions, (std::set<std::string>{"add.f16", "sub.i8"}));
  const ComparedFinding& of_sim = comparison.findings[1];
  EXPECT_TRUE(of_sim.fails_in(0));
  EXPECT_FALSE(of_sim.fails_in(1));
  EXPECT_EQ(of_sim.in[1].state, FindingState::conforms);
  EXPECT_FALSE(all_alike(comparison));
}

TEST(CompareReports, CountsByInstructionAndElementType) {
  const ReportComparison comparison = compare_reports(three_reports(), false);
  ASSERT_EQ(comparison.instructions.size(), 3U);
  EXPECT_EQ(comparison.instructions[0].mnemonic, "add.f16");
  EXPECT_EQ(comparison.instructions[0].only, (std::vector<std::size_t>{1, 0, 0}));
  EXPECT_EQ(comparison.instructions[0].shared, 1U);
  EXPECT_EQ(comparison.instructions[1].mnemonic, "mul.f16");
  EXPECT_EQ(comparison.instructions[1].only, (std::vector<std::size_t>{0, 0, 1}));
  EXPECT_EQ(comparison.instructions[2].mnemonic, "sub.i8");
  EXPECT_EQ(comparison.instructions[2].only, (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_EQ(comparison.instructions[2].shared, 1U);
}

TEST(CompareReports, OnlyInListsWhatNoOtherReportHas) {
  const auto reports = three_reports();
  const ReportComparison all = compare_reports(reports, false);
  EXPECT_EQ(ids_of(only_in(all, reports, "sim")), std::vector<std::string>{"of-sim"});
  EXPECT_EQ(ids_of(only_in(all, reports, "chip.json")), std::vector<std::string>{"of-chip"});
  EXPECT_TRUE(only_in(all, reports, "camodel").findings.empty());
  EXPECT_THROW(only_in(all, reports, "fpga"), InputError);
  const std::vector<SavedReport> twins = {report("a", {}), report("a", {})};
  EXPECT_THROW(only_in(compare_reports(twins, false), twins, "a"), InputError);
}

TEST(CompareReports, WhatWasNotExercisedDoesNotConform) {
  auto reports = three_reports();
  reports[1].exercised["R-1"] = 0;
  reports[2].gaps = {"the run was interrupted"};
  const ReportComparison comparison = compare_reports(reports, false);
  EXPECT_FALSE(comparison.findings[1].in[1].state.has_value());
  EXPECT_FALSE(comparison.findings[1].in[2].state.has_value());
  EXPECT_EQ(comparison.notes, std::vector<std::string>{"chip.json: the run was interrupted"});
}

TEST(CompareReports, EqualReportsAreAlike) {
  EXPECT_TRUE(all_alike(compare_reports(
      {report("a", {finding("x", {"add.f16"})}), report("b", {finding("x", {"add.f16"})})}, false)));
  EXPECT_FALSE(all_alike(compare_reports({report("a", {finding("x", {"add.f16"})}),
                                          report("b", {finding("x", {"add.f16"}, FindingState::hung)})},
                                         false)));
}

TEST(CompareReports, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(complaint([](SavedReport&) {}), "no complaint");
  const auto differs = [](const std::string& what, auto change) {
    for (const bool other_cases : {false, true}) {
      const std::string says = complaint(change, other_cases);
      EXPECT_NE(says.find(what), std::string::npos) << says;
    }
  };
  differs("the profiles differ: a.json has vmc, b.json has tik", [](SavedReport& r) { r.profile = "tik"; });
  differs("the readings differ: a.json has the default readings, b.json has empty_pair=zero",
          [](SavedReport& r) {
            r.readings = {{"empty_pair", "zero"}};
          });
  differs("b.json has --strict", [](SavedReport& r) { r.strict = true; });
  differs("b.json has compared with chip", [](SavedReport& r) { r.other = "chip"; });
  EXPECT_THROW(compare_reports({report("a", {})}, false), InputError);
}

TEST(CompareReports, RefusesOtherCasesUnlessTheUserAllowsThem) {
  const auto differs = [](const std::string& what, auto change) {
    const std::string says = complaint(change);
    EXPECT_NE(says.find(what), std::string::npos) << says;
    std::vector<SavedReport> reports = {report("a", {}), report("b", {})};
    change(reports[1]);
    const ReportComparison allowed = compare_reports(reports, true);
    ASSERT_EQ(allowed.notes.size(), 1U);
    EXPECT_NE(allowed.notes[0].find(what), std::string::npos);
  };
  differs("b.json has 1,000 cases from case 0 of seed 7", [](SavedReport& r) { r.seed = 7; });
  differs("b.json has 1,000 cases from case 5 of seed 0", [](SavedReport& r) { r.first = 5; });
  differs("b.json has 999 cases from case 0 of seed 0", [](SavedReport& r) { r.done = 999; });
  differs("b.json has case files", [](SavedReport& r) { r.replayed = true; });
}

TEST(CompareReports, NotesWhatElseDiffers) {
  std::vector<SavedReport> reports = {report("a", {}), report("b", {})};
  reports[1].version = "2";
  reports[1].judges_refusals = true;
  reports[1].shows_mask = true;
  EXPECT_EQ(compare_reports(reports, false).notes.size(), 3U);
}

TEST(CompareReports, ShowsTheSameInThreeForms) {
  const auto reports = three_reports();
  const ReportComparison all = compare_reports(reports, false);
  const std::string text = comparison_text(all);
  EXPECT_NE(text.find("only in sim: 1 finding\n  of-sim: does something\n    sim: diverges in 4 cases\n"
                      "    camodel: conforms\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("in several: 1 finding\n  shared"), std::string::npos) << text;
  EXPECT_NE(text.find("  add.f16: 1 only in sim, 1 in several\n"), std::string::npos) << text;
  const std::string markdown = comparison_markdown(all);
  EXPECT_NE(markdown.find("### in several: 1 finding\n\n| finding | instructions | sim | camodel | chip |\n"
                          "| --- | --- | --- | --- | --- |\n"
                          "| shared: does something | add.f16, sub.i8 | diverges in 4 cases | diverges in 4 "
                          "cases | crashed in 4 cases |\n"),
            std::string::npos)
      << markdown;
  EXPECT_NE(markdown.find("| mul.f16 | 0 | 0 | 1 | 0 |\n"), std::string::npos) << markdown;
  for (const ReportComparison& each : {all, only_in(all, reports, "chip")}) {
    const auto json = nlohmann::json::parse(comparison_json(each));
    EXPECT_EQ(schema_faults("reports/compared/comparison.schema.json", json), "");
    EXPECT_EQ(json["findings"].size(), each.findings.size());
  }
  EXPECT_EQ(comparison_text(only_in(all, reports, "chip")).find("of-sim"), std::string::npos);
}

TEST(CompareReports, HostileNamesStayText) {
  SavedFinding hostile = finding("x|<script>\033[31m`*", {"add.f16"});
  const ReportComparison comparison = compare_reports({report("a", {hostile}), report("[b](c)", {})}, false);
  const std::string markdown = comparison_markdown(comparison);
  EXPECT_EQ(markdown.find('<'), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("x\\|&lt;script\\>?\\[31m\\`\\*"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\\[b\\]\\(c\\)"), std::string::npos) << markdown;
  EXPECT_EQ(comparison_text(comparison).find('\033'), std::string::npos);
}

}  // namespace
}  // namespace lanecheck
