// Attached backends: whatever one does, the program that caused it is named, the others keep their results,
// and no process is left behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fuzz/backends.h"
#include "fuzz/generate.h"
#include "fuzz/runner.h"
#include "spec/legality.h"

namespace lanecheck {
namespace {

using testing::Values;

Backend bad_backend(const std::string& fault, double deadline = 1) {
  AttachOptions options;
  options.deadline = deadline;
  options.start_up = fault == "hello_hangs" ? 1 : 60;
  return find_backend(
      "cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR "/fuzz/attach/bad_backend.py' " + fault, options);
}

Program echo_program(unsigned char first) {
  Program program;
  program.ub.assign(64, std::byte{1});
  program.ub[0] = std::byte{first};
  return program;
}

std::string children_of_this_process() {
  std::string all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    std::getline(std::ifstream(task.path() / "children"), all, '\0');
  return all;
}

bool echoes(const Program& program, const State& state) {
  return state.ub == program.ub && state.mask == kFullMask;
}

struct Fault {
  const char* name;
  const char* says;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

std::string name_of_fault(const testing::TestParamInfo<Fault>& each) {
  return each.param.name;
}

class EveryFault : public testing::TestWithParam<Fault> {};

TEST_P(EveryFault, IsTheResultOfTheProgramThatCausedItAlone) {
  {
    const Backend backend = bad_backend(GetParam().name);
    const std::vector<Program> programs = {echo_program(1), echo_program(2), echo_program(0xee),
                                           echo_program(3), echo_program(4)};
    std::vector<State> states(programs.size());
    std::vector<Outcome> outcomes(programs.size());
    run_all(backend, {programs, states, outcomes});
    for (std::size_t n = 0; n < programs.size(); ++n) {
      if (n == 2) continue;
      ASSERT_TRUE(std::holds_alternative<Ran>(outcomes[n])) << "program " << n;
      EXPECT_TRUE(echoes(programs[n], states[n])) << "program " << n;
    }
    const auto* errored = std::get_if<Errored>(&outcomes[2]);
    ASSERT_NE(errored, nullptr) << "a backend that broke never conforms";
    EXPECT_NE(errored->what.find(GetParam().says), std::string::npos) << errored->what;
    const auto lives = backend.lives();
    EXPECT_EQ(std::ranges::count(lives, true, &Life::failed) > 0, errored->died);
  }
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Isolation, EveryFault,
    Values(Fault{"segfault", "killed by signal 11 (SIGSEGV)"}, Fault{"abort", "killed by signal 6 (SIGABRT)"},
           Fault{"exit0", "exited with status 0 before it answered"},
           Fault{"hang", "missed its deadline of 1 s"},
           Fault{"ignores_sigterm", "missed its deadline of 1 s"},
           Fault{"floods_stderr", "killed by signal 6"},
           Fault{"closes_stdout", "closed its output and goes on running"},
           Fault{"closes_stdin", "closed its output and goes on running"},
           Fault{"half_message", "after half a message"}, Fault{"half_message_hangs", "missed its deadline"},
           Fault{"endless_line", "sent more than 16777216 bytes where an answer was expected"},
           Fault{"garbage", "not a JSON message: 'debug: here we are'"},
           Fault{"not_an_object", "not a JSON object"}, Fault{"deep", "nested more than 16 levels deep"},
           Fault{"forks", "missed its deadline"}, Fault{"out_of_order", "out of order, or one left out"},
           Fault{"old_id", "answered twice"}, Fault{"answers_twice", "more than one answer"},
           Fault{"short_image", "\"ub\" has 2 hexadecimal digits, expected 128"},
           Fault{"bad_digit", "no hexadecimal digit"}, Fault{"no_mask", "lacks \"mask\""},
           Fault{"bad_mask", "\"mask\" holds something other"}, Fault{"no_verdict", "not exactly one of ran"},
           Fault{"two_verdicts", "not exactly one of ran"}, Fault{"errored", "ValueError"},
           Fault{"huge_length", "announced 1000000000000000 bytes behind the line, expected 64"},
           Fault{"short_raw", "(after 63 of 64 bytes behind the line)"}),
    name_of_fault);

class EveryBadStart : public testing::TestWithParam<Fault> {};

TEST_P(EveryBadStart, IsToldAtOnceWithWhatTheBackendSaid) {
  try {
    bad_backend(GetParam().name);
    FAIL() << "it started";
  } catch (const BackendFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find(GetParam().says), std::string::npos) << failure.what();
  }
  EXPECT_EQ(children_of_this_process(), "");
}

INSTANTIATE_TEST_SUITE_P(Isolation, EveryBadStart,
                         Values(Fault{"hello_dies", "cannot import everything"},
                                Fault{"hello_hangs", "(at hello; --start-up gives it more time)"},
                                Fault{"hello_garbage", "not a JSON message: 'Welcome to the simulator!'"},
                                Fault{"hello_version",
                                      "the backend speaks protocol 7, this lanecheck speaks 1"},
                                Fault{"hello_offers", "names an instruction that is not there: 'frobnicate'"},
                                Fault{"hello_nameless", "\"name\" is missing"}),
                         name_of_fault);

TEST(Isolation, ABackendThatNeverReadsIsToldApartFromOneThatComputesLong) {
  const Backend backend = bad_backend("never_reads");
  State state;
  const Outcome outcome = backend.run(echo_program(1), state);
  ASSERT_TRUE(std::holds_alternative<Errored>(outcome));
  EXPECT_EQ(std::get<Errored>(outcome).what, "missed its deadline of 1 s: it does not read its input");
}

TEST(Isolation, ABackendThatDoesNotEndWithItsInputIsMadeTo) {
  {
    const Backend backend = bad_backend("lingers");
    State state;
    EXPECT_TRUE(std::holds_alternative<Ran>(backend.run(echo_program(1), state)));
    const auto lives = backend.lives();
    ASSERT_EQ(lives.size(), 1u);
    EXPECT_EQ(lives[0].end, "had to be killed");
    EXPECT_EQ(lives[0].programs, 1u);
  }
  EXPECT_EQ(children_of_this_process(), "");
}

TEST(Isolation, KeepsTheBeginningAndTheEndOfAFloodOnStandardError) {
  const Backend backend = bad_backend("floods_stderr", 10);
  State state;
  backend.run(echo_program(0xee), state);
  const auto lives = backend.lives();
  ASSERT_FALSE(lives.empty());
  EXPECT_LT(lives[0].output.size(), 10'000u);
  EXPECT_TRUE(lives[0].output.starts_with("xxx"));
  EXPECT_NE(lives[0].output.find("the end"), std::string::npos);
}

TEST(Isolation, TheRunEndsAsBackendFailureAfterTooManyDeathsAndKeepsWhatWasFound) {
  AttachOptions attach;
  attach.restarts = 2;
  const Backend backend = find_backend(
      "cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR "/fuzz/attach/bad_backend.py' dies_often", attach);
  RunOptions options;
  options.cases = 5000;
  options.minimize = false;
  options.mix.boundaries_first = false;
  const Report report = run(options, backend);
  EXPECT_LT(report.done, options.cases);
  EXPECT_EQ(report.errored, 3u);
  EXPECT_EQ(report.given_up, "it died 3 times (--restarts)");
  EXPECT_EQ(exit_code(report), 3);
  EXPECT_FALSE(report.findings.empty());
  EXPECT_GE(report.lives.size(), 3u);
}

TEST(Attach, AServedBackendConformsInEveryEncodingAsItDoesInProcess) {
  RunOptions options;
  options.cases = 3000;
  options.first = 137'088;
  const Report report = run(options, find_backend("cmd: " LANECHECK_BINARY " serve"));
  EXPECT_EQ(report.conforms, options.cases);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.lives.size(), 1u);
  EXPECT_EQ(report.lives[0].end, "exited with status 0");
}

TEST(Attach, ABrokenRuleIsFoundThroughAProcessAsItIsInProcess) {
  RunOptions options;
  options.cases = 1500;
  options.mix.boundaries_first = false;
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
  backend.offers = {false, {{"add", "", "", "", ""}, {"set_mask", "", "", "", ""}}};
  RunOptions options;
  options.cases = 200'000;
  const Report report = run(options, backend);
  EXPECT_EQ(exit_code(report), 0);
  EXPECT_GT(report.conforms, 5'000u);
  EXPECT_GT(report.skipped, 5'000u);
  EXPECT_EQ(report.conforms + report.skipped, options.cases);
  EXPECT_TRUE(never_exercised(report).empty());
  EXPECT_EQ(std::ranges::count(report.not_offered, std::string("cadd.f16")), 1);
  EXPECT_EQ(std::ranges::count(report.not_offered, std::string("add.f16")), 0);
}

TEST(Attach, AnyPartOfAProgramThatAnOfferLeavesIsLegal) {
  Program program;
  for (std::uint64_t index = 137'088; index < 140'000; ++index) {
    generate(5, index, Mix{}, program);
    Offers offers{false, {}};
    for (const Row& row : instruction_table())
      if ((index * 0x9e3779b97f4a7c15u >> (static_cast<unsigned>(row.op) % 60) & 1) != 0)
        offers.rows.push_back({std::string(row.name), "", "", "", ""});
    restrict_to(offers, program);
    const auto fault = find_fault(program);
    ASSERT_FALSE(fault) << describe(program, *fault);
  }
}

TEST(Attach, AResultThatDoesNotRepeatIsCalledThat) {
  unsigned calls = 0;
  const Backend moody =
      function_backend("moody", "", [&, example = find_backend("example")](const Program& p, State& s) {
        Outcome outcome = example.run(p, s);
        if (++calls == 30) s.ub[0] ^= std::byte{1};
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
