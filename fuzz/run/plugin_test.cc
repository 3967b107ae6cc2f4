// Plug-ins: what one breaks in its worker process is the result of the program that did it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "fuzz/run/attach_testing.h"
#include "fuzz/run/run.h"

namespace lanecheck {
namespace {

using testing::Values;

Backend bad_plugin(const char* fault) {
  setenv("BAD_PLUGIN", fault, 1);
  AttachOptions options;
  options.deadline = 1;
  return find_backend("plugin:" LANECHECK_BAD_PLUGIN, options);
}

class EveryPluginFault : public testing::TestWithParam<Misbehaviour> {};

TEST_P(EveryPluginFault, IsTheResultOfTheProgramThatCausedItAlone) {
  expect_only_the_trigger_fails(bad_plugin(GetParam().name), GetParam().says);
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Plugin, EveryPluginFault,
    Values(Misbehaviour{"segfault", "killed by signal 11 (SIGSEGV)"},
           Misbehaviour{"abort", "killed by signal 6 (SIGABRT)"},
           Misbehaviour{"exit0", "exited with status 0 before it answered"},
           Misbehaviour{"divides_by_zero", "killed by signal 8 (SIGFPE)"},
           Misbehaviour{"stack_overflow", "killed by signal 11 (SIGSEGV)"},
           Misbehaviour{"hang", "missed its deadline of 1 s"},
           Misbehaviour{"writes_beyond_ub", "wrote beyond the end of UB"},
           Misbehaviour{"writes_far_beyond_ub", "wrote beyond the end of UB"},
           Misbehaviour{"writes_behind_guard", "wrote beyond the end of UB, to byte 700 behind it"},
           Misbehaviour{"writes_pages_behind_ub",
                        "killed by signal 11 (SIGSEGV) before it answered; it wrote beyond the end of UB, to "
                        "byte 100000 behind it"},
           Misbehaviour{"writes_before_ub", "wrote in front of UB, to byte 3 before it"},
           Misbehaviour{"writes_beyond_mask", "wrote beyond the end of the mask"},
           Misbehaviour{"writes_instructions", "(SIGSEGV) before it answered; it wrote to the instructions"},
           Misbehaviour{"writes_answers", "a verdict that does not exist"},
           Misbehaviour{"no_verdict", "without a verdict"},
           Misbehaviour{"odd_verdict", "a verdict that does not exist: 77"},
           Misbehaviour{"odd_mask", "neither 0 nor 1"}, Misbehaviour{"errored", "wwww"}),
    name_of_misbehaviour);

class EveryBadPlugin : public testing::TestWithParam<Misbehaviour> {};

TEST_P(EveryBadPlugin, IsToldAtOnce) {
  try {
    bad_plugin(GetParam().name);
    FAIL() << "it started";
  } catch (const BackendFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find(GetParam().says), std::string::npos) << failure.what();
  }
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(Plugin, EveryBadPlugin,
                         Values(Misbehaviour{"no_info", "lanecheck_plugin() returned NULL"},
                                Misbehaviour{"other_version",
                                             "was built for plug-in interface 99, this lanecheck has 2"},
                                Misbehaviour{"no_run", "has no run function"},
                                Misbehaviour{"dies_at_load", "killed by signal 6 (SIGABRT)"}),
                         name_of_misbehaviour);

TEST(Plugin, AFileThatIsNoPluginIsToldWithItsName) {
  for (const auto& [path, says] : {std::pair{"plugin:/nowhere/libsim.so", "/nowhere/libsim.so"},
                                   std::pair{"plugin:" LANECHECK_SOURCE_DIR "/README.md", "README.md"},
                                   std::pair{"plugin:libc.so.6", "libc.so.6"}}) {
    try {
      find_backend(path);
      FAIL() << path;
    } catch (const BackendFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find(says), std::string::npos) << failure.what();
    }
  }
}

TEST(Plugin, TheExampleConformsInAWorkerAndInThisProcess) {
  RunOptions options;
  options.cases = 20'000;
  options.first = 137'088;
  AttachOptions here;
  here.in_process = true;
  for (const AttachOptions& attach : {AttachOptions{}, here}) {
    const Report report = run(options, find_backend("plugin:" LANECHECK_EXAMPLE_PLUGIN, attach));
    EXPECT_EQ(report.conforms, options.cases);
    EXPECT_EQ(report.processes.size(), attach.in_process ? 0u : 1u);
  }
}

TEST(Plugin, AProgramTooLargeForTheSharedMemoryIsSkippedAndItsNeighboursRun) {
  std::vector<Program> programs(3, echo_program(1));
  programs[1].instructions.assign(1'000'000, Instruction{});  // reset_mask
  for (const bool in_process : {false, true}) {
    AttachOptions options;
    options.in_process = in_process;
    const Backend backend = find_backend("plugin:" LANECHECK_EXAMPLE_PLUGIN, options);
    std::vector<State> states(programs.size());
    std::vector<Outcome> outcomes(programs.size());
    run_all(backend, {programs, states, outcomes});
    EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[0]));
    EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[2]));
    EXPECT_EQ(states[2].ub, programs[2].ub);
    const auto* skipped = std::get_if<Skipped>(&outcomes[1]);
    ASSERT_NE(skipped, nullptr);
    EXPECT_EQ(skipped->why, "more than 4096 instructions, the most that a plug-in is given");
  }
}

}  // namespace
}  // namespace lanecheck
