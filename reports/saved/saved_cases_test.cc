#include "reports/saved/saved_cases.h"

#include <gtest/gtest.h>

#include "reports/json_report.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck {
namespace {

Report report_of_one() {
  Finding finding;
  finding.id = "dup-ignores-mask";
  finding.rules = {"VMC-3.1-dup"};
  finding.first_case = 17;
  finding.program = load_case(LANECHECK_SOURCE_DIR "/corpus/VMC-3.1-dup/f32.json").program;
  finding.instruction = 1;
  finding.expected = finding.actual = State{finding.program.ub};
  Report report;
  report.profile = Profile::vmc;
  report.seed = 5;
  report.readings = default_readings(Profile::vmc);
  pin(report.readings, "empty_reduction=writes_neutral");
  report.pinned = {{"empty_reduction", "writes_neutral"}};
  report.findings = {finding};
  return report;
}

TEST(SavedCases, HoldTheProgramsAndTheSettingsOfTheRun) {
  Report report = report_of_one();
  report.arguments = {"--illegal"};
  const SavedCases saved = parse_saved_cases(report_text(report), "r.json");
  EXPECT_EQ(saved.seed, 5u);
  EXPECT_EQ(saved.readings, report.readings);
  EXPECT_EQ(saved.pinned, std::vector<std::string>{"empty_reduction"});
  EXPECT_TRUE(saved.illegal);
  const SavedCase& one = case_of(saved, "dup-ignores-mask");
  EXPECT_EQ(one.smallest.program, report.findings.front().program);
  EXPECT_EQ(one.instruction, 1u);
  EXPECT_EQ(one.first_case, 17u);
}

TEST(SavedCases, AMutatedReportIsReadOrRefusedByName) {
  expect_reads_or_refuses(report_text(report_of_one()), 1000,
                          [](std::string_view text) { parse_saved_cases(text, kMutatedFile); });
}

/// What is wrong with a report in which `part` is replaced.
std::string complaint_about(const std::string& part, const std::string& by) {
  std::string text = report_text(report_of_one());
  const auto at = text.find(part);
  if (at == std::string::npos) return "the report has no " + part;
  text.replace(at, part.size(), by);
  try {
    parse_saved_cases(text, "r.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(SavedCases, WrongReadingsAreRefusedWithTheNameOfTheFile) {
  const std::string reading = complaint_about("writes_neutral", "writes_nothing_at_all");
  EXPECT_NE(reading.find("r.json"), std::string::npos) << reading;
  EXPECT_NE(reading.find("empty_reduction"), std::string::npos) << reading;
  const std::string pinned = complaint_about("\"pinned\": {", "\"pinned\": 5, \"was_pinned\": {");
  EXPECT_NE(pinned.find("expected an object"), std::string::npos) << pinned;
}

TEST(SavedCases, AnUnknownFindingIsRefusedWithThoseThatExist) {
  const SavedCases saved = parse_saved_cases(report_text(report_of_one()), "r.json");
  try {
    case_of(saved, "dup");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the report has: dup-ignores-mask"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lanecheck
