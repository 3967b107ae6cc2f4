// The report has the same bytes for any number of jobs.
#include <gtest/gtest.h>

#include <atomic>

#include "fuzz/run/differential_run.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/report_testing.h"
#include "fuzz/run/run.h"
#include "reports/format.h"

namespace lanecheck {
namespace {

RunOptions window(std::uint64_t cases) {
  RunOptions options;
  options.first = 1000;
  options.cases = cases;
  return options;
}

std::vector<Backend> instances(const std::string& name, std::size_t count) {
  std::vector<Backend> list;
  for (std::size_t n = 0; n < count; ++n) list.push_back(find_backend(name));
  return list;
}

std::string report_of(const std::string& name, const RunOptions& options, std::size_t jobs) {
  return canonical(
      run(options, find_backend(name), {}, jobs > 1 ? instances(name, jobs) : std::vector<Backend>{}));
}

TEST(Jobs, ARightBackendGetsTheSameReportFromAnyNumberOfJobs) {
  const RunOptions options = window(3001);
  const std::string alone = report_of("example", options, 1);
  for (const std::size_t jobs : {2u, 3u, 7u}) EXPECT_EQ(report_of("example", options, jobs), alone) << jobs;
}

TEST(Jobs, AWrongBackendGetsTheSameFindingsFromAnyNumberOfJobs) {
  for (const char* name : {"wrong:cadd-keeps-dst", "wrong:add-ignores-mask", "wrong:reset-nothing"}) {
    const RunOptions options = window(1500);
    const std::string alone = report_of(name, options, 1);
    EXPECT_EQ(report_of(name, options, 3), alone) << name;
  }
}

// The count that such a run records gives the same report again, apart from the reason of its end.
TEST(Jobs, ARunEndsAtTheSameCaseWhenItHasEnough) {
  RunOptions options = window(100'000);
  options.until = read_until("risk < 1e-3");
  const Report clean = run(options, find_backend("example"));
  EXPECT_EQ(clean.decisive + clean.wild, 3001u);
  EXPECT_EQ(clean.findings.size(), 0u);
  EXPECT_EQ(clean.stopped, "stopped after " + counted(clean.done, "case") + ", --until 'risk < 1e-3'");
  EXPECT_EQ(report_of("example", options, 3), report_of("example", options, 1));
  const Report again = run(window(clean.done), find_backend("example"));
  EXPECT_EQ(again.element_checks, clean.element_checks);
  EXPECT_EQ(again.conforms, clean.conforms);

  options.until = read_until("findings >= 1");
  const Report wrong = run(options, find_backend("wrong:cadd-keeps-dst"));
  EXPECT_EQ(wrong.findings.size(), 1u);
  EXPECT_EQ(wrong.first + wrong.done, wrong.findings.front().first_case + 1);
  EXPECT_EQ(report_of("wrong:cadd-keeps-dst", options, 3), report_of("wrong:cadd-keeps-dst", options, 1));

  options.cases = 1500;
  options.until = read_until("risk < 1e-3");
  EXPECT_EQ(run(options, find_backend("wrong:cadd-keeps-dst")).done, 1500u);  // it is not clean
}

TEST(Jobs, TwoBackendsGetTheSameReportFromAnyNumberOfJobs) {
  const RunOptions options = window(1500);
  const auto report = [&](std::size_t count) {
    std::vector<std::pair<Backend, Backend>> jobs;
    for (std::size_t n = 0; n < count; ++n)
      jobs.emplace_back(find_backend("wrong:cmax-keeps-dst"), find_backend("oracle"));
    return canonical(run_differential(options, find_backend("wrong:cmax-keeps-dst"), find_backend("oracle"),
                                      false, {}, jobs));
  };
  EXPECT_EQ(report(3), report(0));
}

/// Dies of every program whose first instruction repeats exactly three times.
Backend mortal() {
  const Backend right = find_backend("example");
  Backend backend = function_backend("mortal", "", [right](const Program& program, State& state) -> Outcome {
    if (program.instructions.back().repeat == 3) return Errored{"killed by signal 11 (SIGSEGV)", true};
    return right.run(program, state);
  });
  backend.most_deaths = 5;
  return backend;
}

TEST(Jobs, ABackendThatDiesTooOftenIsGivenUpAtTheSameCaseByAnyNumberOfJobs) {
  const RunOptions options = window(5000);
  const Report alone = run(options, mortal());
  EXPECT_EQ(alone.given_up, "it died 6 times (--restarts)");
  EXPECT_EQ(alone.errored, 6u);
  EXPECT_LT(alone.done, options.cases);
  const std::vector<Backend> three = {mortal(), mortal(), mortal()};
  EXPECT_EQ(canonical(run(options, mortal(), {}, three)), canonical(alone));
}

TEST(Jobs, ARunThatIsStoppedAtItsFirstFindingEndsAtTheSameCase) {
  const RunOptions options = window(5000);
  const auto report = [&](std::size_t jobs) {
    std::atomic<bool> found = false;
    RunHooks hooks;
    hooks.on_finding = [&](const Finding&) { found = true; };
    hooks.stop = [&] { return found.load(); };
    return canonical(run(options, find_backend("wrong:cadd-keeps-dst"), hooks,
                         jobs > 1 ? instances("wrong:cadd-keeps-dst", jobs) : std::vector<Backend>{}));
  };
  EXPECT_EQ(report(3), report(1));
}

TEST(Jobs, WhatAJobThrowsReachesTheCaller) {
  const Backend throwing = function_backend(
      "throwing", "", [](const Program&, State&) -> Outcome { throw std::runtime_error("out of paper"); });
  const std::vector<Backend> two = {throwing, throwing};
  EXPECT_THROW(run(window(100), throwing, {}, two), std::runtime_error);
}

}  // namespace
}  // namespace lanecheck
