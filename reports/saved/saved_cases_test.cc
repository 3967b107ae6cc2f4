#include "reports/saved/saved_cases.h"

#include <gtest/gtest.h>

#include "reports/json_report.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

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
