// Process backends: whatever one does, the program that caused it is named, the others keep their results,
// and no process is left behind.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/generate/generate.h"
#include "fuzz/run/bad_backend_testing.h"
#include "fuzz/run/run.h"

namespace lanecheck {
namespace {

class EveryFault : public testing::TestWithParam<Misbehaviour> {};

TEST_P(EveryFault, IsTheResultOfTheProgramThatCausedItAlone) {
  expect_only_the_trigger_fails(bad_backend(GetParam().name), GetParam().says);
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Isolation, EveryFault,
    testing::Values(
        Misbehaviour{"segfault", "killed by signal 11 (SIGSEGV)"},
        Misbehaviour{"abort", "killed by signal 6 (SIGABRT)"},
        Misbehaviour{"exit0", "exited with status 0 before it answered"},
        Misbehaviour{"hang", "missed its deadline of 1 s"},
        Misbehaviour{"ignores_sigterm", "missed its deadline of 1 s"},
        Misbehaviour{"floods_stderr", "killed by signal 6"},
        Misbehaviour{"closes_stdout", "closed its output and goes on running"},
        Misbehaviour{"closes_stdin", "closed its output and goes on running"},
        Misbehaviour{"half_message", "after half a message"},
        Misbehaviour{"half_message_hangs", "missed its deadline"},
        Misbehaviour{"endless_line", "sent more than 16777216 bytes where an answer was expected"},
        Misbehaviour{"garbage", "not a JSON message: 'debug: here we are'"},
        Misbehaviour{"not_an_object", "not a JSON object"},
        Misbehaviour{"deep", "nested more than 16 levels deep"}, Misbehaviour{"forks", "missed its deadline"},
        Misbehaviour{"out_of_order", "out of order, or one left out"},
        Misbehaviour{"old_id", "answered twice"},
        Misbehaviour{"short_image", "\"ub\" has 2 hexadecimal digits, expected 128"},
        Misbehaviour{"bad_digit", "no hexadecimal digit"}, Misbehaviour{"no_mask", "lacks \"mask\""},
        Misbehaviour{"bad_mask", "\"mask\" holds something other"},
        Misbehaviour{"no_verdict", "not exactly one of ran"},
        Misbehaviour{"two_verdicts", "not exactly one of ran"}, Misbehaviour{"errored", "ValueError"},
        Misbehaviour{"huge_length", "announced 1000000000000000 bytes behind the line, expected 64"},
        Misbehaviour{"short_raw", "(after 63 of 64 bytes behind the line)"}),
    name_of_misbehaviour);

class EveryBadStart : public testing::TestWithParam<Misbehaviour> {};

TEST_P(EveryBadStart, IsToldAtOnceWithWhatTheBackendSaid) {
  try {
    bad_backend(GetParam().name);
    FAIL() << "it started";
  } catch (const BackendFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find(GetParam().says), std::string::npos) << failure.what();
  }
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Isolation, EveryBadStart,
    testing::Values(Misbehaviour{"hello_dies", "cannot import everything"},
                    Misbehaviour{"hello_hangs", "(at hello; --start-up gives it more time)"},
                    Misbehaviour{"hello_garbage", "not a JSON message: 'Welcome to the simulator!'"},
                    Misbehaviour{"hello_version", "the backend speaks protocol 7, this lanecheck speaks 1"},
                    Misbehaviour{"hello_offers",
                                 "there is no instruction 'frobnicate'; there are: set_mask, "},
                    Misbehaviour{"hello_nameless", "\"name\" is missing"}),
    name_of_misbehaviour);

TEST(Isolation, ABackendThatNeverReadsIsToldApartFromOneThatComputesLong) {
  const Backend backend = bad_backend("never_reads");
  State state;
  const Outcome outcome = backend.run(echo_program(1), state);
  ASSERT_TRUE(std::holds_alternative<Errored>(outcome));
  EXPECT_EQ(std::get<Errored>(outcome).what, "missed its deadline of 1 s: it does not read its input");
}

std::ptrdiff_t count_errored(const std::vector<Outcome>& outcomes) {
  return std::ranges::count_if(outcomes,
                               [](const Outcome& each) { return std::holds_alternative<Errored>(each); });
}

TEST(Isolation, WhatFailsOnlyInABatchFails) {
  for (const char* fault : {"hangs_in_company", "dies_in_company"}) {
    const auto outcomes = outcomes_of(bad_backend(fault), std::vector<Program>(16, echo_program(1)));
    EXPECT_GE(count_errored(outcomes), 1) << fault;
    const auto first = std::ranges::find_if(
        outcomes, [](const Outcome& each) { return std::holds_alternative<Errored>(each); });
    EXPECT_NE(
        std::get<Errored>(*first).what.find("it failed only when these programs were sent as one batch"),
        std::string::npos);
  }
}

TEST(Isolation, WhatFailsOnlyInABatchCountsTowardsTheLimitOfRestarts) {
  AttachOptions options;
  options.start_up = 60;
  options.restarts = 0;
  const Backend backend = bad_backend("dies_in_company", options);
  const auto outcomes = outcomes_of(backend, std::vector<Program>(16, echo_program(1)));
  EXPECT_EQ(count_errored(outcomes), 1);
  EXPECT_EQ(backend.given_up(), died_too_often(1));
  EXPECT_TRUE(std::holds_alternative<NotRun>(outcomes.back()));
}

TEST(Isolation, ASecondAnswerIsNoticedAtTheLatestInPlaceOfTheNextOne) {
  const Backend backend = bad_backend("answers_twice");
  std::vector<Program> programs(6, echo_program(1));
  programs[2] = echo_program(0xee);
  ASSERT_GE(count_errored(outcomes_of(backend, programs)), 1);
  const std::string what = backend.processes().front().end;
  EXPECT_TRUE(what.find("more than one answer") != std::string::npos ||
              what.find("answered twice") != std::string::npos)
      << what;
}

TEST(Isolation, ABackendThatIsSlowButInTimeIsNoFailure) {
  std::vector<Program> programs(20, echo_program(1));
  programs.resize(30, echo_program(2));
  const Backend backend = bad_backend("slow");
  EXPECT_EQ(count_errored(outcomes_of(backend, programs)), 0);
  EXPECT_GT(backend.processes().size(), 1u) << "a batch was too much for it";
}

TEST(Isolation, ProcessesOfQuestionsAreNotCounted) {
  const Backend backend = bad_backend("slow");
  outcomes_of(backend, {echo_program(1)});
  for (unsigned n = 0; n < 3; ++n) {
    backend.restart();
    State state;
    EXPECT_TRUE(std::holds_alternative<Ran>(backend.run(echo_program(1), state)));
  }
  backend.restart();
  EXPECT_EQ(backend.processes().size(), 1u) << "the process that ran a case";
}

TEST(Isolation, AStopEndsAWaitForAHungBackendWithinASecondAndNoRestartFollows) {
  std::atomic<bool> stopped = false;
  AttachOptions options;
  options.deadline = 60;
  options.stop = [&] { return stopped.load(); };
  const Backend backend = find_backend("cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR
                                       "/fuzz/backend/misbehaving/bad_backend.py' ignores_sigterm",
                                       options);
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stopped = true;
  });
  const Stopwatch watch;
  std::vector<Program> programs(8, echo_program(0xee));
  programs[0] = echo_program(1);
  const auto outcomes = outcomes_of(backend, programs);
  user.join();
  EXPECT_LT(watch.seconds(), 1.5);
  EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[0]));
  for (std::size_t n = 1; n < outcomes.size(); ++n)
    EXPECT_TRUE(std::holds_alternative<NotRun>(outcomes[n])) << n;
  State state;
  EXPECT_TRUE(std::holds_alternative<NotRun>(backend.run(echo_program(1), state)));
  const auto processes = backend.processes();
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_FALSE(processes[0].failed);
  EXPECT_EQ(processes[0].end, "was interrupted");
  EXPECT_EQ(children_of_this_process(), "");
}

TEST(Isolation, AHostThatWasPausedLongerThanTheDeadlineTakesTheAnswerThatWaits) {
  const pid_t host = fork();
  if (host == 0) {  // pauses in the middle of a wait, longer than the deadline of 1 s
    const Backend backend = bad_backend("slow");
    State state;
    const bool ran = std::holds_alternative<Ran>(backend.run(echo_program(2), state));
    _exit(ran ? 0 : 1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  int status = 0;
  for (int pauses = 0; pauses < 3 && waitpid(host, &status, WNOHANG) == 0; ++pauses) {
    kill(host, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    kill(host, SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
  }
  if (waitpid(host, &status, 0) < 0 && errno != ECHILD) FAIL();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Isolation, ABatchThatMissedTheDeadlineOnABusyMachineFailsNoProgram) {
  const StartedFile file;
  const Backend backend = bad_backend("stalls_once");
  const auto outcomes = outcomes_of(backend, std::vector<Program>(64, echo_program(1)));
  EXPECT_EQ(count_errored(outcomes), 0);
  const auto processes = backend.processes();
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_FALSE(processes[0].failed);
  EXPECT_TRUE(processes[0].end.starts_with("slow: ")) << processes[0].end;
}

TEST(Isolation, ABackendThatDoesNotEndWithItsInputIsMadeTo) {
  {
    const Backend backend = bad_backend("lingers");
    State state;
    EXPECT_TRUE(std::holds_alternative<Ran>(backend.run(echo_program(1), state)));
    const auto processes = backend.processes();
    ASSERT_EQ(processes.size(), 1u);
    EXPECT_EQ(processes[0].end, "had to be killed");
    EXPECT_EQ(processes[0].programs, 1u);
  }
  EXPECT_EQ(children_of_this_process(), "");
}

TEST(Isolation, KeepsTheBeginningAndTheEndOfAFloodOnStandardError) {
  const Backend backend = bad_backend("floods_stderr", 10);
  State state;
  backend.run(echo_program(0xee), state);
  const auto processes = backend.processes();
  ASSERT_FALSE(processes.empty());
  EXPECT_LT(processes[0].output.size(), 10'000u);
  EXPECT_TRUE(processes[0].output.starts_with("xxx"));
  EXPECT_NE(processes[0].output.find("the end"), std::string::npos);
}

TEST(Isolation, TheRunEndsAsBackendFailureAfterTooManyDeathsAndKeepsWhatWasFound) {
  AttachOptions attach;
  attach.restarts = 2;
  const Backend backend = find_backend("cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR
                                       "/fuzz/backend/misbehaving/bad_backend.py' dies_often",
                                       attach);
  RunOptions options;
  options.cases = 5000;
  options.minimize = false;
  options.mix.with_boundaries = false;
  const Report report = run(options, backend);
  EXPECT_LT(report.done, options.cases);
  EXPECT_EQ(report.errored, 3u);
  EXPECT_EQ(report.done, 3u) << "what was not run is not done";
  EXPECT_EQ(report.given_up, "it died 3 times (--restarts)");
  EXPECT_EQ(exit_code(report), 3);
  EXPECT_FALSE(report.findings.empty());
  EXPECT_GE(report.processes.size(), 3u);
}

TEST(Isolation, ARunOnAChaoticBackendEndsWithEveryCaseCountedOnceAndNothingLeftBehind) {
  AttachOptions attach;
  attach.deadline = 0.5;
  attach.restarts = 12;
  RunOptions options;
  options.cases = 20'000;
  options.minimize = false;
  {
    const Backend backend = find_backend("cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR
                                         "/fuzz/backend/misbehaving/chaos_backend.py' " LANECHECK_BINARY,
                                         attach);
    const Report report = run(options, backend);
    EXPECT_EQ(report.conforms + report.diverges + report.undecided + report.skipped + report.errored,
              report.done);
    EXPECT_GT(report.conforms, 0u);
    // Explaining a lie costs restarts too, and which requests there are depends on the time of answers.
    EXPECT_GT(report.errored, 0u);
    EXPECT_EQ(report.given_up, "it died 13 times (--restarts)");
    EXPECT_EQ(exit_code(report), report.diverges > 0 ? 1 : 3);
  }
  EXPECT_EQ(children_of_this_process(), "");
}

TEST(Attach, AServedBackendConformsInEveryEncodingAsItDoesInProcess) {
  RunOptions options;
  options.cases = 3000;
  options.first = 137'088;
  const Report report = run(options, find_backend("cmd: " LANECHECK_BINARY " serve"));
  EXPECT_EQ(report.conforms, options.cases);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.processes.size(), 1u);
  EXPECT_EQ(report.processes[0].end, "exited with status 0");
}

TEST(Attach, ManyLargeProgramsTravelInMessagesBelowTheLimit) {
  Program program;
  program.ub.assign(kMaxUbBytes, std::byte{7});
  const std::vector<Program> programs(200, program);
  for (const char* served : {"cmd: " LANECHECK_BINARY " serve --hex-only", "cmd: " LANECHECK_BINARY " serve",
                             "plugin:" LANECHECK_EXAMPLE_PLUGIN}) {
    AttachOptions patient;
    patient.deadline = 60;  // batches grow to their full size
    const Backend backend = find_backend(served, patient);
    std::vector<State> states(programs.size());
    std::vector<Outcome> outcomes(programs.size());
    run_all(backend, {programs, states, outcomes});
    for (std::size_t n = 0; n < programs.size(); ++n) {
      ASSERT_TRUE(std::holds_alternative<Ran>(outcomes[n])) << served << ", program " << n;
      ASSERT_EQ(states[n].ub, program.ub);
    }
  }
}

TEST(Attach, ABrokenRuleIsFoundThroughAProcessAsItIsInProcess) {
  RunOptions options;
  options.cases = 1500;
  options.mix.with_boundaries = false;
  const Report here = run(options, find_backend("wrong:cadd-keeps-dst"));
  const Report there =
      run(options, find_backend("cmd: " LANECHECK_BINARY " serve --backend wrong:cadd-keeps-dst"));
  ASSERT_EQ(here.findings.size(), 1u);
  ASSERT_EQ(there.findings.size(), 1u);
  EXPECT_EQ(there.findings[0].id, "cadd-keeps-dst");
  EXPECT_EQ(there.findings[0].cases, here.findings[0].cases);
  EXPECT_EQ(there.findings[0].program, here.findings[0].program);
}

TEST(Attach, WhatIsNotOnOfferIsLeftOutAndCountedAndDoesNotFailTheRun) {
  Backend backend = find_backend("example");
  backend.capabilities = {false, {{"add", "", "", "", ""}, {"set_mask", "", "", "", ""}}};
  const RunOptions options;
  const Report report = run(options, backend);
  EXPECT_EQ(exit_code(report), 0);
  EXPECT_GT(report.conforms, 5'000u);
  EXPECT_GT(report.skipped, 5'000u);
  EXPECT_EQ(report.conforms + report.skipped, options.cases);
  EXPECT_TRUE(never_exercised(report).empty());
  EXPECT_EQ(std::ranges::count(report.not_offered, std::string("cadd.f16")), 1);
  EXPECT_EQ(std::ranges::count(report.not_offered, std::string("add.f16")), 0);
}

TEST(Attach, AResultThatDoesNotRepeatIsCalledThat) {
  unsigned calls = 0;
  const Backend moody =
      function_backend("moody", "", [&, example = find_backend("example")](const Program& p, State& s) {
        Outcome outcome = example.run(p, s);
        if (++calls == 31) s.ub[0] ^= std::byte{1};
        return outcome;
      });
  RunOptions options;
  options.cases = 100;
  options.first = 137'088;
  const Report report = run(options, moody);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "not-repeatable");
  EXPECT_EQ(report.diverges, 1u);
  EXPECT_EQ(exit_code(report), 1);
}

}  // namespace
}  // namespace lanecheck
