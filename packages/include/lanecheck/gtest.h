// The documented rules as tests of GoogleTest 1.10 or later, the one that the project already has. C++17.
//
//   #include <lanecheck/gtest.h>
//   void run(lanecheck_program& program) { ... program.verdict = LANECHECK_RAN; }
//   LANECHECK_TEST(MySimulator, lanecheck::rules::Simulator(run), lanecheck::rules::Settings{});
//
// makes one test for each rule of the profile: rules/MySimulator.holds/VMC_3_2_cadd_zero. --gtest_filter
// selects them as always; the run of lanecheck, which judges all rules at once, is done once for all tests of
// a process. The simulator runs in processes of its own, so a crash is a result. CMake: lanecheck::gtest.
#ifndef LANECHECK_GTEST_H
#define LANECHECK_GTEST_H

#include <gtest/gtest.h>
#include <lanecheck/rules.h>

#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace lanecheck::rules {

inline const bool kEarly = call_early();

/// With the program of the installation, except if the user names another one.
inline Settings located(Settings settings) {
#ifdef LANECHECK_PROGRAM
  if (settings.program.empty() && std::getenv("LANECHECK") == nullptr) settings.program = LANECHECK_PROGRAM;
#endif
  return settings;
}

/// Before the first test, and in the process that lanecheck started: answers lanecheck, then ends the
/// process.
class ServeIfAsked : public testing::Environment {
 public:
  ServeIfAsked(std::string name, std::function<Simulator()> simulator)
      : name_(std::move(name)), simulator_(std::move(simulator)) {}
  void SetUp() override {
    if (is_asked_to_serve(name_)) std::_Exit(serve(simulator_()));
  }

 private:
  std::string name_;
  std::function<Simulator()> simulator_;
};

/// VMC_3_2_cadd_zero: a name that --gtest_filter takes.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& each : name)
    if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
  return name;
}

/// The ids for a test suite. If lanecheck cannot be asked, one test that says why.
inline std::vector<std::string> ids_or_other(const Settings& settings) {
  if (std::getenv("LANECHECK_SERVE") != nullptr) return {kOther};  // no tests will run
  try {
    return ids(located(settings));
  } catch (const std::runtime_error&) {
    return {kOther};  // whose run fails for the same reason, and says it
  }
}

/// What lanecheck says of the simulator of a test suite.
inline std::map<std::string, Outcome> run_own(const std::string& suite, const Simulator& simulator,
                                              const Settings& settings) {
  return run(simulator.backend.empty() ? own_backend(suite) : simulator.backend, located(settings));
}

inline void expect_holds(const Outcome& outcome) {
  if (outcome.state == State::skipped) GTEST_SKIP() << outcome.text;
  if (outcome.state == State::failed) FAIL() << outcome.text;
}

}  // namespace lanecheck::rules

/// The tests of one simulator. `simulator` and `settings` are expressions, evaluated when they are needed.
#define LANECHECK_TEST(suite, simulator, settings)                                                        \
  class suite : public testing::TestWithParam<std::string> {                                              \
   public:                                                                                                \
    static const std::map<std::string, lanecheck::rules::Outcome>& outcomes() {                           \
      static const auto all = lanecheck::rules::run_own(#suite, simulator, settings);                     \
      return all;                                                                                         \
    }                                                                                                     \
    static testing::Environment* const environment;                                                       \
  };                                                                                                      \
  testing::Environment* const suite::environment = testing::AddGlobalTestEnvironment(                     \
      new lanecheck::rules::ServeIfAsked(#suite, [] { return lanecheck::rules::Simulator(simulator); })); \
  TEST_P(suite, holds) {                                                                                  \
    lanecheck::rules::expect_holds(outcomes().at(GetParam()));                                            \
  }                                                                                                       \
  INSTANTIATE_TEST_SUITE_P(rules, suite, testing::ValuesIn(lanecheck::rules::ids_or_other(settings)),     \
                           lanecheck::rules::test_name)

#endif
