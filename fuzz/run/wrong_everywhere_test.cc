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

  /// KiB that `cases` further cases add to the peak, when the findings are known.
  long further_memory(const Backend& backend, std::uint64_t cases) {
    run_on(backend, kFirst);
    const long first = peak_memory();
    run_on(backend, kFirst + cases);
    return peak_memory() - first;
  }

  /// Programs that the backend is asked for each of the further cases, when the findings are known.
  double questions_a_case(const Backend& backend) {
    run_on(backend, kFirst);
    const std::uint64_t first = calls;
    EXPECT_GT(run_on(backend, kFirst + kFurther).diverges, kFurther / 2);
    return static_cast<double>(calls - first) / kFurther;
  }

  static constexpr std::uint64_t kFirst = 2000, kFurther = 10'000;
  RunOptions options_;
};

// The first test, because the peak of an earlier one would hide what this one adds.
TEST_F(WrongEverywhere, MemoryDoesNotGrowWithTheCases) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  constexpr long kMost = 4096;  // KiB for 10,000 cases: less than half a KiB for each
  EXPECT_LE(further_memory(backend_of(writes_every_lane(Profile::vmc)), kFurther), kMost);
  EXPECT_LE(further_memory(flips_a_bit(), kFurther), kMost);
}

TEST_F(WrongEverywhere, MaskedOffLanesAreWritten) {
  EXPECT_LE(questions_a_case(backend_of(writes_every_lane(Profile::vmc))), 2);
}

TEST_F(WrongEverywhere, NothingKnownExplainsIt) {
  EXPECT_LE(questions_a_case(flips_a_bit()), 2);
}

}  // namespace
}  // namespace lanecheck
