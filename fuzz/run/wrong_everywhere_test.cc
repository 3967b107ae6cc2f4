// A backend that is wrong in most cases: sorting its divergences costs at most ten times what a right backend
// costs.
#include <gtest/gtest.h>

#include <ctime>
#include <iostream>

#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

Backend backend_of(const Semantics& semantics) {
  return function_backend("made by hand", "", [semantics](const Program& program, State& state) -> Outcome {
    execute(program, semantics, state);
    return Ran{};
  });
}

/// Every instruction that the mask gates writes the masked-off lanes as well.
Semantics writes_every_lane(Profile profile) {
  Semantics semantics(default_readings(profile));
  for (MaskUse& use : semantics.use)
    if (use == MaskUse::gates_writeback) use = MaskUse::ignores;
  return semantics;
}

/// Bit 0 of the byte in the middle of UB is flipped in every case: nothing known explains it.
Backend flips_a_bit() {
  return function_backend("flips a bit", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics(default_readings(program.profile)), state);
    state.ub[state.ub.size() / 2] ^= std::byte{1};
    return Ran{};
  });
}

class WrongEverywhere : public testing::Test {
 protected:
  WrongEverywhere() {
    options_.mix.with_boundaries = false;
    options_.illegal_in_32 = 0;
  }

  Report run_on(const Backend& backend, std::uint64_t cases) {
    options_.cases = cases;
    const std::clock_t start = std::clock();  // of this process alone: the machine may be busy
    Report report = run(options_, backend);
    seconds_ = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout << backend.name << ": " << cases << " cases in " << seconds_ << " s, " << report.diverges
              << " diverge, " << report.unlisted << " unlisted, " << report.findings.size() << " findings\n";
    return report;
  }

  /// Seconds for `cases` further cases, when the findings are known.
  double further(const Backend& backend, std::uint64_t cases) {
    run_on(backend, kFirst);
    const double first = seconds_;
    run_on(backend, kFirst + cases);
    return seconds_ - first;
  }

  static constexpr std::uint64_t kFirst = 2000, kFurther = 10'000;
  RunOptions options_;
  double seconds_ = 0;
};

TEST_F(WrongEverywhere, MaskedOffLanesAreWritten) {
  const double right = further(backend_of(Semantics(Readings{})), kFurther);
  EXPECT_LE(further(backend_of(writes_every_lane(Profile::vmc)), kFurther), 10 * right);
}

TEST_F(WrongEverywhere, NothingKnownExplainsIt) {
  const double right = further(backend_of(Semantics(Readings{})), kFurther);
  EXPECT_LE(further(flips_a_bit(), kFurther), 10 * right);
}

}  // namespace
}  // namespace lanecheck
