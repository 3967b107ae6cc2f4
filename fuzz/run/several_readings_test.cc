// Backends that follow several open readings at once: no case of theirs may count as a divergence.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/generate/generate_testing.h"
#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/run.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace several_readings_test {

/// The oracle under these readings. It refuses nothing.
Backend following(const Readings& readings) {
  return function_backend("follows several readings", "",
                          [semantics = Semantics(readings)](const Program& program, State& state) -> Outcome {
                            execute(program, semantics, state);
                            return Ran{};
                          });
}

struct Choice {
  const Reading* reading;
  unsigned option;

  std::string text() const {
    return std::string(reading->id).append("=").append(reading->options[option].name);
  }
};

/// Every option that a profile leaves open beside its default, except those that only decide legality.
std::vector<Choice> choices(Profile profile) {
  std::vector<Choice> all;
  for (const Reading& reading : readings())
    for (unsigned option = 0; option < reading.options.size(); ++option)
      if (reading.open_in(profile) && reading.decides != Decides::legality &&
          option != reading.get(default_readings(profile)))
        all.push_back({&reading, option});
  return all;
}

void expect_no_divergence(const RunOptions& options, const Readings& followed, const std::string& which) {
  const Report report = run(options, following(followed));
  EXPECT_EQ(report.diverges, 0u) << which;
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.verdict, Verdict::undecided) << which << ": " << finding.id << ": " << finding.what;
    const auto readings = departures(followed, options.readings);
    const bool followed_one = std::ranges::any_of(readings, [&](const auto& each) {
      return finding.id == std::string(each.first).append("=").append(each.second);
    });
    // Known gap: in ascendc-a2 the further questions do not tell these two readings apart.
    const bool look_alike =
        finding.id == "half_overflow=saturate" && followed.cast_half_overflow == CastHalfOverflow::greatest;
    EXPECT_TRUE(followed_one || look_alike) << which << " is named " << finding.id;
  }
}

class SeveralReadings : public testing::TestWithParam<Profile> {};

TEST_P(SeveralReadings, EveryPairIsExcused) {
  const auto all = choices(GetParam());
  const RunOptions options = drawn_legal(GetParam(), 300);
  for (std::size_t one = 0; one < all.size(); ++one)
    for (std::size_t two = one + 1; two < all.size(); ++two) {
      if (all[one].reading == all[two].reading) continue;
      Readings followed = options.readings;
      all[one].reading->set(followed, all[one].option);
      all[two].reading->set(followed, all[two].option);
      expect_no_divergence(options, followed, all[one].text() + " " + all[two].text());
    }
}

class AllReadings : public testing::TestWithParam<Profile> {};

TEST_P(AllReadings, AtOnceAreExcused) {
  const RunOptions options = drawn_legal(GetParam(), 3000);
  for (const bool last : {false, true}) {
    Readings followed = options.readings;
    for (const Choice& each : choices(GetParam()))
      if (last || each.reading->get(followed) == each.reading->get(options.readings))
        each.reading->set(followed, each.option);
    expect_no_divergence(options, followed, last ? "the last option of every reading" : "the first one");
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, AllReadings, testing::ValuesIn(kEveryProfile), test_name_of);

INSTANTIATE_TEST_SUITE_P(Profiles, SeveralReadings, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(SeveralReadingsOnVmc, ThreeThatOneInstructionShowsAtOnceAreExcused) {
  const RunOptions options = drawn_legal(Profile::vmc, 8000);
  Readings followed = options.readings;
  for (const char* setting : {"compare_nan=never", "integer_overflow=saturates", "half_overflow=saturate"})
    pin(followed, setting);
  expect_no_divergence(options, followed, "three");
}

// A backend that follows another option of every reading, and has a mistake. Its readings take no place of a
// mistake among the findings, and the smallest program of the mistake is not one that the named readings
// explain together.
TEST(SeveralReadingsOnVmc, AMistakeBesideAllReadingsIsListedAndItsWitnessIsNoMatterOfReadings) {
  const RunOptions options = drawn_legal(Profile::vmc, 1000);
  Readings followed = options.readings, named = options.readings;
  for (const Choice& each : choices(Profile::vmc)) each.reading->set(followed, each.option);
  for (const std::string_view id : {"mask-advances", "cgmax-sentinel-zero"}) {
    const Semantics semantics = find_mutant(id)->semantics(followed);
    const Report report = run(
        options, function_backend("a mistake beside readings", "", [&](const Program& program, State& state) {
          execute(program, semantics, state);
          return Outcome(Ran{});
        }));
    for (const Finding& finding : report.findings)
      if (finding.verdict == Verdict::undecided) pin(named, finding.id);
    State state;
    unsigned mistakes = 0;
    for (const Finding& finding : report.findings) {
      if (finding.verdict == Verdict::undecided) continue;
      ++mistakes;
      execute(finding.program, semantics, state);
      EXPECT_FALSE(agrees(finding.program, Semantics(named), state, true))
          << finding.id << ": " << finding.what << '\n'
          << print(finding.program);
    }
    EXPECT_EQ(mistakes, 1u) << id;
  }
}

/// The oracle, which follows another option of a reading in one instruction alone.
Backend follows_in_one(const char* setting, Op op) {
  return function_backend("inconsistent", "", [setting, op](const Program& program, State& state) -> Outcome {
    Readings there = default_readings(program.profile);
    pin(there, setting);
    const Semantics others(default_readings(program.profile)), in_one(there);
    execute(prefix(program, 0), others, state);
    for (const Instruction& insn : program.instructions)
      execute_one(program, insn, insn.op == op ? in_one : others, state);
    return Ran{};
  });
}

TEST(SeveralReadingsOfOneQuestion, AReadingThatOneInstructionAloneFollowsIsAFinding) {
  struct Inconsistent {
    Profile profile;
    const char* setting;
    Op op;
  };
  for (const auto& [profile, setting, op] :
       {Inconsistent{Profile::a2, "mask_after_brcb=unchanged", Op::gatherb},
        Inconsistent{Profile::a2, "mask_after_gather_mask=all_ones", Op::gather_mask_user},
        Inconsistent{Profile::p310, "half_scalar=kept_wide", Op::muls}}) {
    const Report report = run(drawn_legal(profile, 1500), follows_in_one(setting, op));
    EXPECT_GT(report.diverges, 0u) << setting << " of " << row_of(op).name;
    EXPECT_EQ(report.undecided, 0u) << setting << " of " << row_of(op).name;
  }
}

TEST(SeveralReadingsOfOneQuestion, F16InF32IsToldFromFusedByWhatF32Does) {
  const RunOptions options = drawn_legal(Profile::a2, 300);
  for (const char* setting : {"multiply_add=half_in_single", "multiply_add=fused"}) {
    Readings followed = options.readings;
    pin(followed, setting);
    const Report report = run(options, following(followed));
    ASSERT_EQ(report.findings.size(), 1u) << setting;
    EXPECT_EQ(report.findings[0].id, setting);
  }
}

TEST(SeveralReadingsOfOneQuestion, ASimulatorMayFuseWhatIsCalledFusedAndNothingElse) {
  const Report report =
      run(drawn_legal(Profile::a2, 3000), follows_in_one("multiply_add=fused", Op::muladddst));
  EXPECT_GT(report.diverges, 0u) << "muladddst is fused, axpy is not";
  RunOptions options = drawn_legal(Profile::a2, 3000);
  Readings fuses = options.readings;
  pin(fuses, "fused_multiply_add=fused");
  const Report fused = run(options, following(fuses));
  EXPECT_EQ(fused.diverges, 0u);
  ASSERT_EQ(fused.findings.size(), 1u);
  EXPECT_EQ(fused.findings[0].id, "fused_multiply_add=fused");
}

}  // namespace several_readings_test
}  // namespace lanecheck
