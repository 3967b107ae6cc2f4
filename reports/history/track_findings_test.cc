#include "reports/history/track_findings.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

enum class Said { failing, conforming, nothing };

/// A run of the backend's version, which has the finding "x" of rule R-1 or not. Each date has its own seed.
DatedReport run(const std::string& date, const std::string& version, Said said, std::uint64_t seed = 0) {
  DatedReport made{date, {}};
  made.report.backend = "sim";
  made.report.about = version;
  made.report.profile = "vmc";
  made.report.seed = seed != 0 ? seed : std::stoull(date.substr(8));
  made.report.done = 100;
  if (said != Said::nothing) made.report.exercised = {{"R-1", 5}};
  if (said == Said::failing)
    made.report.findings = {{"x", FindingState::diverges, "breaks", "", {"R-1"}, {}, 3}};
  return made;
}

TrackedFinding only(const std::vector<DatedReport>& runs) {
  const auto findings = track_findings(runs);
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? TrackedFinding{} : findings.front();
}

constexpr Said kBad = Said::failing, kGood = Said::conforming, kSilent = Said::nothing;

TEST(TrackFindings, TheTrendFollowsFromTheRuns) {
  EXPECT_EQ(only({run("2026-01-01", "1", kGood), run("2026-01-02", "2", kBad)}).trend, Trend::fresh);
  EXPECT_EQ(only({run("2026-01-01", "1", kBad), run("2026-01-02", "2", kBad)}).trend, Trend::still);
  EXPECT_EQ(only({run("2026-01-01", "1", kBad), run("2026-01-02", "2", kGood)}).trend, Trend::fixed);
  EXPECT_EQ(
      only({run("2026-01-01", "1", kBad), run("2026-01-02", "2", kGood), run("2026-01-03", "3", kBad)}).trend,
      Trend::returned);
}

TEST(TrackFindings, TheSameCasesOnTheSameVersionWithTwoOutcomesAreFlaky) {
  EXPECT_EQ(only({run("2026-01-01", "1", kBad, 7), run("2026-01-02", "1", kGood, 7)}).trend, Trend::flaky);
  EXPECT_EQ(only({run("2026-01-01", "1", kBad, 7), run("2026-01-02", "1", kGood, 8)}).trend, Trend::fixed);
  EXPECT_EQ(only({run("2026-01-01", "1", kBad, 7), run("2026-01-02", "2", kGood, 7)}).trend, Trend::fixed);
}

TEST(TrackFindings, ARunThatDidNotExerciseTheRulesSaysNothing) {
  const TrackedFinding finding = only({run("2026-01-01", "1", kBad), run("2026-01-02", "2", kSilent)});
  EXPECT_EQ(finding.trend, Trend::fresh);
  EXPECT_EQ(finding.runs_exercised, 1U);
  DatedReport interrupted = run("2026-01-02", "2", kGood);
  interrupted.report.gaps = {"the run was interrupted"};
  EXPECT_EQ(only({run("2026-01-01", "1", kBad), interrupted}).trend, Trend::fresh);
}

TEST(TrackFindings, DatesAndVersionsAreThoseOfTheRuns) {
  const TrackedFinding finding =
      only({run("2026-01-01", "1", kGood), run("2026-01-02", "2", kBad), run("2026-01-03", "3", kBad),
            run("2026-01-04", "4", kGood), run("2026-01-05", "5", kGood)});
  EXPECT_EQ(finding.first_seen, "2026-01-02");
  EXPECT_EQ(finding.first_version, "2");
  EXPECT_EQ(finding.last_seen, "2026-01-03");
  EXPECT_EQ(finding.since, "2026-01-04");
  EXPECT_EQ(finding.since_version, "4");
  EXPECT_EQ(finding.runs_with, 2U);
  EXPECT_EQ(finding.runs_exercised, 5U);
  EXPECT_EQ(finding.what, "breaks");
}

TEST(TrackFindings, BackendsAndProfilesAreApart) {
  DatedReport chip = run("2026-01-01", "1", kBad), tik = run("2026-01-01", "1", kBad);
  chip.report.backend = "chip";
  tik.report.profile = "tik";
  const auto findings = track_findings({chip, tik, run("2026-01-02", "1", kGood)});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].backend, "chip");
  EXPECT_EQ(findings[0].trend, Trend::fresh);
  EXPECT_EQ(findings[1].profile, "tik");
}

}  // namespace
}  // namespace lanecheck
