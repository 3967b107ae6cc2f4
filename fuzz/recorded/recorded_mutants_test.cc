// What mutants leave is recorded and judged from the recording alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/recorded/judge_recording.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace {

/// The questions of `lanecheck gen --questions`, without results.
Recording questions(Profile profile, std::uint64_t count) {
  Recording recording;
  recording.name = "recorded";
  recording.profile = profile;
  recording.shown = true;
  Mix mix;
  mix.profile = profile;
  for (std::uint64_t index = 0; index < count; ++index) {
    generate(1, index, mix, recording.programs.emplace_back());
    recording.records.push_back({index, "recorded:" + std::to_string(index + 1), Ran{}, {}});
  }
  return recording;
}

void record(Recording& recording, const Semantics& semantics) {
  for (std::size_t n = 0; n < recording.programs.size(); ++n)
    execute(recording.programs[n], semantics, recording.records[n].state);
}

bool names(const Finding& finding, const Mutant& mutant) {
  return finding.id == mutant.id || std::ranges::any_of(mutant.breaks, [&](std::string_view rule) {
           return std::ranges::count(finding.rules, rule) > 0;
         });
}

class RecordedMutants : public testing::TestWithParam<Profile> {};

TEST_P(RecordedMutants, AreNamedByARuleThatTheyBreak) {
  const Profile profile = GetParam();
  constexpr std::uint64_t kCases = 500;
  Recording recording = questions(profile, kCases);
  RunOptions options;
  options.readings = default_readings(profile);
  // Otherwise a mutant that does what an open reading allows is undecided, as it is in a run.
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  unsigned all = 0, seen = 0, named = 0;
  std::string others;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(profile)) continue;
    ++all;
    record(recording, mutant.semantics(options.readings));
    const Report report = judge_recording(recording, options);
    const bool right =
        !report.findings.empty() &&
        std::ranges::all_of(report.findings, [&](const Finding& each) { return names(each, mutant); });
    seen += report.findings.empty() ? 0 : 1;
    named += right ? 1 : 0;
    if (right) continue;
    others += "\n" + mutant.id + (report.findings.empty() ? " is not seen" : " is taken for");
    for (const Finding& each : report.findings) others += " " + each.id;
  }
  std::cout << row_of(profile).name << ": " << named << " of " << all << others << '\n';
  EXPECT_EQ(named, seen) << others;
  EXPECT_GE(100 * named, 95 * all) << others;
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedMutants, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace
}  // namespace lanecheck
