// The sentence of a clean run, held against faults of known visibility.
#include "reports/clean_run.h"

#include <gtest/gtest.h>

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/generate/draws.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/report_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kDrawn = 120;

RunOptions small_run() {
  RunOptions options;
  options.cases = kDrawn;
  options.mix.with_boundaries = false;
  options.mix.most_instructions = 2;
  options.illegal_in_32 = 0;
  options.readings = default_readings(options.mix.profile);
  options.most_findings = 0;
  options.minimize = false;
  return options;
}

TEST(CleanRun, SaysWhichFaultsWouldHaveBeenSeen) {
  const Report report = run(small_run(), find_backend("oracle"));
  EXPECT_EQ(clean_run_text(report),
            "a fault that shows in 1 of 40 or more of the drawn programs would have been seen (95%)");
  EXPECT_EQ(valid_json(report)["conclusion"]["clean_run"], clean_run_text(report));
}

TEST(CleanRun, CountsDrawnProgramsAlone) {
  RunOptions options = small_run();
  options.mix.with_boundaries = true;
  const Report report = run(options, find_backend("oracle"));
  // Of the first cases every fourth is drawn.
  EXPECT_EQ(clean_run_text(report),
            "a fault that shows in 1 of 10 or more of the drawn programs would have been seen (95%)");
}

/// The oracle, except that every program of which `shows` is true has `outcome`; if it ran, its mask is
/// wrong.
Backend faulty(std::function<bool(const Program&)> shows, const Outcome& outcome) {
  return function_backend("faulty", "",
                          [shows = std::move(shows), outcome](const Program& program, State& state) {
                            execute(program, Semantics(default_readings(program.profile)), state);
                            if (!shows(program)) return Outcome(Ran{});
                            state.mask[0] ^= 1;
                            return outcome;
                          });
}

// A fault that shows in 1 of 40 programs, in programs that are drawn for each fault anew. The backend
// conforms, so that the run analyses nothing: what counts is whether the run has a program in which the fault
// would show.
TEST(CleanRun, HasSeenNineOfTenFaultsOfThatVisibility) {
  unsigned seen = 0;
  for (std::uint64_t fault = 0; fault < 200; ++fault) {
    bool met = false;
    RunOptions options = small_run();
    options.seed = 1 + fault;
    const auto shows = [&](const Program& program) {
      met |= Draws(fault, hash_of(program)).below(40) == 0;
      return false;
    };
    ASSERT_NE(clean_run_text(run(options, faulty(shows, Ran{}))), "");
    seen += met ? 1 : 0;
  }
  EXPECT_GE(seen, 180u);
  EXPECT_LT(seen, 200u);  // else the faults show more often than the sentence speaks of
}

TEST(CleanRun, SaysNothingIfAProgramWasNotCompared) {
  const auto nearly_never = [](const Program& program) { return Draws(7, hash_of(program)).below(20) == 0; };
  for (const Outcome& outcome :
       {Outcome(Ran{}), Outcome(Skipped{"no time"}), Outcome(Refused{"odd"}), Outcome(Errored{"crash"})})
    EXPECT_EQ(clean_run_text(run(small_run(), faulty(nearly_never, outcome))), "") << outcome.index();
  Report report = run(small_run(), find_backend("oracle"));
  report.instructions_left_out = 1;
  EXPECT_EQ(clean_run_text(report), "");
  report.instructions_left_out = 0;
  report.doctor = {"the mask is reversed"};
  EXPECT_EQ(clean_run_text(report), "");
}

}  // namespace
}  // namespace lanecheck
