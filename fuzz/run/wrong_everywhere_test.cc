// A backend that is wrong in most cases: when its findings are known, further divergences ask it hardly more
// than a right backend is asked, and memory does not grow with the number of cases.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

std::uint64_t calls = 0;  ///< programs that a backend of this file was asked

Backend backend_of(const Semantics& semantics) {
  return function_backend("made by hand", "", [semantics](const Program& program, State& state) -> Outcome {
    ++calls;
    execute(program, semantics, state);
    return Ran{};
  });
}

/// The most memory that this process had so far, in KiB.
long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
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
    ++calls;
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
    calls = 0;
    return run(options_, backend);
  }

  /// What the further cases cost when the findings are known.
  void expect_cheap_further_cases(const Backend& backend) {
    run_on(backend, kFirst);
    const std::uint64_t first_calls = calls;
    const long first_memory = peak_memory();
    EXPECT_GT(run_on(backend, kFirst + kFurther).diverges, kFurther / 2);
    EXPECT_LE(static_cast<double>(calls - first_calls) / kFurther, 2) << "programs asked for each case";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // a sanitizer keeps freed memory
    EXPECT_LE(peak_memory() - first_memory, 4096) << "KiB: more than about half a KiB for each case";
#endif
  }

  static constexpr std::uint64_t kFirst = 2000, kFurther = 10'000;
  RunOptions options_;
};

// ctest runs each test in a process of its own: the peak of an earlier one would hide what the next one adds.
TEST_F(WrongEverywhere, MaskedOffLanesAreWritten) {
  expect_cheap_further_cases(backend_of(writes_every_lane(Profile::vmc)));
}

TEST_F(WrongEverywhere, NothingKnownExplainsIt) {
  expect_cheap_further_cases(flips_a_bit());
}

}  // namespace
}  // namespace lanecheck
