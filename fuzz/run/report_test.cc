// Reports: valid against the published schema, readable in a terminal, safe against hostile names.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <sstream>

#include "fuzz/run/differential_run.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/report_testing.h"
#include "fuzz/run/run.h"
#include "reports/finding_case.h"
#include "reports/terminal.h"

namespace lanecheck {
namespace {

Report report_of(const char* backend) {
  RunOptions options;
  options.cases = 400;
  options.mix.with_boundaries = false;
  return run(options, find_backend(backend));
}

TEST(Certificate, ADivergenceIsNamedByTheFindingOfItsCauseOnly) {
  Report report;
  report.findings.emplace_back().id = "known";
  report.findings[0].instructions = {"add.f16"};
  report.certificate = {2, {}, {{"add.f16", true, "", "known"}}};
  EXPECT_FALSE(has_unnamed_divergence(report));
  report.certificate->others[0].finding = "another";
  EXPECT_TRUE(has_unnamed_divergence(report)) << "a baseline with the known finding must not hide it";
  report.certificate->others[0].finding = "";
  EXPECT_FALSE(has_unnamed_divergence(report)) << "it diverged once";
  report.certificate->others[0].instruction = "sub.f16";
  EXPECT_TRUE(has_unnamed_divergence(report));
}

bool is_valid(const nlohmann::json& report) {
  return lanecheck::is_valid("reports/report.schema.json", report);
}

TEST(JsonReport, IsValidAgainstItsSchemaInEveryMode) {
  for (const char* name :
       {"example", "wrong:cadd-keeps-dst", "wrong:set-mask-in-ub", "wrong:cast-counts-narrow"})
    valid_json(report_of(name));
  Backend backend = find_backend("wrong:cadd-keeps-dst");
  RunOptions options;
  options.cases = 400;
  options.mix.with_boundaries = false;
  valid_json(run(
      options, backend,
      {.on_finding = {}, .on_progress = {}, .stop = [] { return true; }, .before_batch = {}, .clock = {}}));
  for (const bool bitwise : {false, true})
    valid_json(run_differential(options, backend, find_backend("example"), bitwise));
  backend.reports_refusals = backend.shows_mask = false;
  valid_json(run(options, backend));
  backend.capabilities.everything = false;
  valid_json(run(options, backend));
  backend.run = [](const Program&, State&) -> Outcome { return Skipped{"no"}; };
  valid_json(run(options, backend));
}

/// The numbers of lanes that the runs of a report stand for, and the values that they give.
void count_lanes(const nlohmann::ordered_json& finding, std::size_t& lanes) {
  for (const auto& entry : finding["lanes"])
    for (const auto& run : entry["runs"])
      lanes += run["count"].get<std::size_t>() * entry["repeats"].get<std::size_t>();
}

TEST(JsonReport, HoldsLanesAsRuns) {
  const Report report = report_of("wrong:add-ignores-mask");
  ASSERT_FALSE(report.findings.empty());
  const auto json = valid_json(report);
  for (std::size_t n = 0; n < report.findings.size(); ++n) {
    std::size_t lanes = 0;
    count_lanes(json["findings"][n], lanes);
    EXPECT_EQ(lanes, report.findings[n].lanes.size());
  }
}

TEST(JsonReport, FoldsRepeatsThatAreTheSame) {
  Report report = report_of("wrong:add-ignores-mask");
  ASSERT_FALSE(report.findings.empty());
  Finding& finding = report.findings[0];
  finding.lanes.clear();
  for (unsigned repeat = 0; repeat < 255; ++repeat)
    for (unsigned lane = 0; lane < 64; ++lane)
      finding.lanes.push_back(
          {repeat, lane / 8, lane, true, true, lane != 5, Element::f32, 0, 1, lane != 5 ? 1u : 2u});
  const auto json = valid_json(report);
  EXPECT_EQ(json["findings"][0]["lanes"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["lanes"][0]["runs"].size(), 3u);
  EXPECT_LT(dump(json["findings"][0]["lanes"]).size(), 2000u);
}

TEST(JsonReport, TheSchemaRejectsWhatIsNoReport) {
  const auto good = nlohmann::json::parse(dump(valid_json(report_of("wrong:cadd-keeps-dst"))));
  auto bad = good;
  bad.erase("run");
  EXPECT_FALSE(is_valid(bad));
  bad = good;
  bad["findings"][0]["verdict"] = "fine";
  EXPECT_FALSE(is_valid(bad));
  bad = good;
  bad["surprise"] = 1;
  EXPECT_FALSE(is_valid(bad));
}

TEST(JsonReport, SurvivesBytesThatAreNoUtf8) {
  Report report = report_of("example");
  report.backend = "\xff\xfe\"\x01";
  valid_json(report);
}

TEST(JsonReport, SurvivesWhatABackendSaysWhenItBreaks) {
  RunOptions options;
  options.cases = 20;
  const Report report = run(options, function_backend("broken", "", [](const Program&, State&) -> Outcome {
                              return Errored{"\xf5\xff \x1b"};
                            }));
  ASSERT_FALSE(report.findings.empty());
  valid_json(report);
  EXPECT_NO_THROW(print_case(case_of(report.findings[0], {})));
}

std::string shown(const Finding& finding, bool colour) {
  std::ostringstream out;
  print_finding(out, finding, {.colour = colour, .width = 80});
  return out.str();
}

TEST(Terminal, AFindingNamesTheRuleItsClaimItsSectionAndTheLane) {
  const Report report = report_of("wrong:dup-ignores-mask");
  ASSERT_FALSE(report.findings.empty());
  const std::string text = shown(report.findings[0], false);
  for (const char* part : {"VMC-3.1-dup", "VMC section 3.1, documented", "set_mask high=", "dup.",
                           "<- differs after this", "expected", "actual", "!"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  EXPECT_EQ(text.find('\033'), std::string::npos) << "no colour was asked for";
  EXPECT_NE(shown(report.findings[0], true).find("\033["), std::string::npos);
}

TEST(Terminal, MarksAMaskedOffLaneThatWasWritten) {
  const Report report = report_of("wrong:add-ignores-mask");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_NE(shown(report.findings[0], false).find('!'), std::string::npos);
}

TEST(Terminal, FoldsALaneMapAtTheWidth) {
  std::vector<LaneRow> lanes;
  for (unsigned lane = 0; lane < 256; ++lane)
    lanes.push_back({0, lane / 32, lane, true, true, lane != 200, Element::u8, 0, 1, lane != 200 ? 1u : 2u});
  std::ostringstream out;
  print_lane_map(out, lanes, {.colour = false, .width = 80});
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(std::ranges::count(out.str(), 'X'), 1);
}

TEST(Terminal, ControlCharactersOfABackendDoNotReachTheTerminal) {
  Report report = report_of("example");
  report.backend = "evil\033[2J\007";
  std::ostringstream out;
  print_summary(out, report, {});
  EXPECT_EQ(out.str().find('\033'), std::string::npos);
  EXPECT_EQ(out.str().find('\007'), std::string::npos);
  EXPECT_NE(out.str().find("evil?[2J?"), std::string::npos);
}

std::string summary_of(const Report& report) {
  std::ostringstream out;
  print_summary(out, report, Style{}, false);
  return out.str();
}

TEST(Summary, NamesRulesThatNoCaseExercisedInTheVerdictOfAnyRun) {
  RunOptions options;
  options.cases = 20;
  const Report report = run(options, find_backend("example"));
  ASSERT_FALSE(not_exercised(report).empty());
  EXPECT_NE(summary_of(report).find("\nconforms, as far as exercised: "), std::string::npos);
  EXPECT_EQ(exit_code(report), 0);
}

TEST(Summary, SaysWhatTheDoctorFound) {
  Report report = report_of("example");
  ASSERT_EQ(exit_code(report), 0);
  report.doctor = {"mistake: the arguments are swapped"};
  EXPECT_EQ(exit_code(report), 1);
  EXPECT_NE(summary_of(report).find("does not conform; the doctor found 1 mistake"), std::string::npos);
  EXPECT_EQ(valid_json(report)["run"]["doctor"].size(), 1u);
}

TEST(Summary, SaysWhyCasesWereSkipped) {
  Backend backend = find_backend("example");
  backend.capabilities.everything = false;
  RunOptions options;
  options.cases = 100;
  const Report report = run(options, backend);
  ASSERT_GT(report.skipped, 0u);
  EXPECT_NE(summary_of(report).find("skipped because: "), std::string::npos);
  EXPECT_FALSE(valid_json(report)["skip_reasons"].empty());
}

TEST(Summary, SaysBothOfARunThatDivergesAndFails) {
  Report report = report_of("wrong:cadd-keeps-dst");
  report.errored = 2;
  EXPECT_NE(summary_of(report).find(
                "\ndiverges: 4 rules broken, 1 finding; beside it, the backend failed in 2 cases\n"),
            std::string::npos);
  report.given_up = "it died 3 times (--restarts)";
  EXPECT_NE(summary_of(report).find("1 finding; beside it, backend failure: it died 3 times"),
            std::string::npos);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Summary, DoesNotCountNoRuleAsBroken) {
  Report report = report_of("wrong:cadd-keeps-dst");
  ASSERT_NE(summary_of(report).find("\ndiverges: 4 rules broken, 1 finding\n"), std::string::npos);
  for (Finding& finding : report.findings) finding.rules.clear();
  EXPECT_NE(summary_of(report).find("names no broken rule"), std::string::npos);
}

TEST(Summary, CountsTheRulesThatFindingsNameWhereNoRuleIsCounted) {
  Report report = report_of("wrong:cadd-keeps-dst");
  report.rules.clear();  // as in a comparison of two backends, and in a replay of case files
  EXPECT_NE(summary_of(report).find("\ndiverges: 4 rules broken, 1 finding\n"), std::string::npos);
}

}  // namespace
}  // namespace lanecheck
