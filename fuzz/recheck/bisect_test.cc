#include "fuzz/recheck/bisect.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "corpus/case.h"
#include "fuzz/run/find_backend.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace bisect_test {

struct Fault {
  double rate;
  Backend backend;  ///< answers for it when it strikes
};

/// A backend that is right except when one of the faults strikes.
Backend flaky(std::vector<Fault> faults, std::uint64_t seed) {
  const auto random = std::make_shared<std::mt19937_64>(seed);
  return function_backend("flaky", "",
                          [=, right = find_backend("example")](const Program& program, State& state) {
                            for (const Fault& each : faults)
                              if (std::uniform_real_distribution<double>()(*random) < each.rate)
                                return each.backend.run(program, state);
                            return right.run(program, state);
                          });
}

RunOptions options() {
  RunOptions made;
  made.readings = default_readings(Profile::vmc);
  return made;
}

Program dup() {
  return load_case(LANECHECK_SOURCE_DIR "/corpus/VMC-3.1-dup/f32.json").program;
}

/// A noise that writes one of five wrong results in turn.
Backend noise() {
  const auto turn = std::make_shared<unsigned>(0);
  return function_backend("noise", "",
                          [=, right = find_backend("example")](const Program& program, State& state) {
                            const Outcome outcome = right.run(program, state);
                            state.ub[8] = static_cast<std::byte>(++*turn % 5 + 1);
                            return outcome;
                          });
}

std::vector<Fault> with_noise(double rate) {
  return {{0.3, noise()}, {rate, find_backend("wrong:dup-ignores-mask")}};
}

FoundVersion search(std::size_t first_bad, std::uint64_t seed, const std::string& wanted) {
  const Backend good = flaky(with_noise(0), seed), bad = flaky(with_noise(0.3), seed + 1);
  FaultWatch watch(dup(), options(), wanted);
  if (!watch.learn(bad, 1000).empty()) return {};
  return find_first_bad(32, [&](std::size_t version) { return watch.ask(version < first_bad ? good : bad); });
}

TEST(Bisect, FindsAFlakyFaultBesideNoise) {
  unsigned right = 0;
  for (std::size_t seed = 0; seed < 20; ++seed) {  // version_search_test has 100
    const std::size_t first_bad = 1 + seed * 7 % 31;
    const FoundVersion found = search(first_bad, seed, "dup-ignores-mask");
    if (found.first_bad == first_bad) ++right;
  }
  EXPECT_GE(right, 19u);
}

TEST(Bisect, ChoosesTheMostFrequentFaultWithoutAnId) {
  FaultWatch watch(dup(), options(), "");
  EXPECT_EQ(watch.learn(flaky(with_noise(0.3), 4), 1000), "");
  EXPECT_EQ(watch.fault(), "dup-ignores-mask");
}

TEST(Bisect, LearnsNothingFromAnotherFault) {
  FaultWatch watch(dup(), options(), "dup-ignores-mask");
  EXPECT_EQ(watch.learn(flaky({{1, noise()}}, 1), 50),
            "the last version is wrong on the program, but not as in dup-ignores-mask");
  FaultWatch fresh(dup(), options(), "dup-ignores-mask");
  EXPECT_EQ(fresh.learn(find_backend("example"), 50), "the last version conforms on the program");
}

/// Writes these two bytes into the result: a fault without a name.
Backend writes(unsigned value) {
  return function_backend("writes", "",
                          [=, right = find_backend("example")](const Program& program, State& state) {
                            const Outcome outcome = right.run(program, state);
                            state.ub[8] = static_cast<std::byte>(value % 256);
                            state.ub[9] = static_cast<std::byte>(value / 256);
                            return outcome;
                          });
}

TEST(Bisect, AFaultWithoutANameIsRememberedAmongManyOtherAnswers) {
  FaultWatch watch(dup(), options(), "", 5);
  for (unsigned n = 1; n < 5; ++n) watch.ask(writes(n));
  ASSERT_EQ(watch.learn(writes(1000), 10), "");
  ASSERT_TRUE(watch.fault().starts_with("unexplained")) << watch.fault();
  watch.ask(writes(1001));
  EXPECT_EQ(watch.ask(writes(1000)), Shows::fault);
}

TEST(Bisect, TellsAnAnswerFromNone) {
  FaultWatch watch(dup(), options(), "dup-ignores-mask");
  ASSERT_EQ(watch.learn(find_backend("wrong:dup-ignores-mask"), 1), "");
  EXPECT_EQ(watch.ask(find_backend("wrong:dup-ignores-mask")), Shows::fault);
  EXPECT_EQ(watch.ask(find_backend("example")), Shows::nothing);
  EXPECT_EQ(watch.ask(noise()), Shows::other);
  EXPECT_EQ(watch.ask(function_backend("mute", "", [](const Program&, State&) { return Skipped{"no"}; })),
            Shows::no_answer);
}

}  // namespace bisect_test
}  // namespace lanecheck
