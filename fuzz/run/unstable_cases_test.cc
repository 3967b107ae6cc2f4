// Backends that are not always wrong: each gives one finding, which says what its cause is.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "fuzz/backend/example_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "reports/json_report.h"
#include "reports/schema_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What a process of the backend keeps from program to program.
struct Process {
  unsigned programs = 0;
  bool poisoned = false;
};

/// Is the example wrong about this program now? Runs before the program does.
using IsWrong = std::function<bool(const Program& program, Process& process)>;

/// The example simulator with the first byte of the first dst inverted where `is_wrong`. `restart` starts
/// it afresh, as for an attached backend.
Backend faulty(const IsWrong& is_wrong) {
  const auto process = std::make_shared<Process>();
  Backend backend = function_backend(
      "faulty", "", [=, example = example_backend()](const Program& program, State& state) -> Outcome {
        ++process->programs;
        const bool wrong = is_wrong(program, *process);
        Outcome outcome = example.run(program, state);
        if (!wrong) return outcome;
        for (const Instruction& insn : program.instructions) {
          if (row_of(insn.op).operands.empty()) continue;
          state.ub[program.allocations[insn.operands[0].allocation].offset] ^= std::byte{0xff};
          break;
        }
        return outcome;
      });
  backend.restart = [process] { *process = {}; };
  return backend;
}

bool has_add(const Program& program) {
  return !program.instructions.empty() && program.instructions.front().op == Op::add;
}

bool poisons(const Instruction& insn) {
  return insn.op == Op::set_mask && insn.high == 0;
}

Report run_on(const Backend& backend, bool minimize = true, std::span<const Backend> jobs = {}) {
  RunOptions options;
  options.cases = 1'500;
  options.illegal_in_32 = 0;
  options.minimize = minimize;
  return run(options, backend, {}, jobs);
}

Backend random_add() {
  return faulty([words = std::make_shared<std::mt19937>(3)](const Program& program, Process&) {
    return has_add(program) && (*words)() % 10 < 3;
  });
}

/// From a set_mask with high=0 on, all programs of the process are wrong.
Backend poisoned_by_mask() {
  return faulty([](const Program& program, Process& process) {
    const bool wrong = process.poisoned;
    process.poisoned |= std::ranges::any_of(program.instructions, poisons);
    return wrong;
  });
}

/// A busy machine misses one deadline while the program is asked again.
TEST(UnstableCases, ABackendThatIsAlwaysWrongAndBreaksOnceIsNoSuchCase) {
  Backend backend = faulty([](const Program& program, Process&) { return has_add(program); });
  backend.run = [run = backend.run, adds = 0](const Program& program, State& state) mutable -> Outcome {
    if (has_add(program) && ++adds == 4) return Errored{"no answer in time"};
    return run(program, state);
  };
  const Report report = run_on(backend);
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& each : report.findings) {
    EXPECT_EQ(each.repeats, Repeats::stable) << each.what;
    EXPECT_NE(each.id, kNotRepeatable);
  }
}

void expect_random(const Report& report) {
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "random-elementwise");
  EXPECT_EQ(finding.repeats, Repeats::random);
  EXPECT_EQ(finding.asked, 100u);
  EXPECT_GT(finding.wrong, 15u);  // the rate is 0.3
  EXPECT_LT(finding.wrong, 45u);
  EXPECT_GT(report.diverges, 1u);
  EXPECT_EQ(finding.cases, report.diverges);
  EXPECT_NE(finding.what.find(" of 100 asks (with 95% confidence"), std::string::npos) << finding.what;
}

TEST(UnstableCases, ARandomFaultIsOneFindingWithItsRate) {
  const Report report = run_on(random_add());
  expect_random(report);
  EXPECT_EQ(report.findings[0].program.instructions.size(), 1u);
  EXPECT_EQ(report.findings[0].instructions.front().substr(0, 4), "add.");
}

TEST(UnstableCases, ARandomFaultIsTheSameWithoutMinimizingAndInJobs) {
  expect_random(run_on(random_add(), false));
  const Backend jobs[] = {random_add(), random_add()};
  expect_random(run_on(random_add(), true, jobs));
}

/// Every seventh add of a process is wrong.
TEST(UnstableCases, AFaultThatCountsIsNotCalledRandom) {
  const Report report =
      run_on(faulty([adds = std::make_shared<unsigned>(0)](const Program& program, Process&) {
        return has_add(program) && ++*adds % 7 == 0;
      }));
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "state-periodic-elementwise");
  EXPECT_EQ(finding.repeats, Repeats::state_dependent);
  EXPECT_NE(finding.what.find("once in 7 runs in the same process"), std::string::npos) << finding.what;
}

TEST(UnstableCases, APoisonedProcessIsOneFindingWithItsTrigger) {
  const Backend jobs[] = {poisoned_by_mask(), poisoned_by_mask()};
  for (const bool in_jobs : {false, true}) {
    const Report report = run_on(poisoned_by_mask(), true,
                                 in_jobs ? std::span<const Backend>(jobs) : std::span<const Backend>());
    ASSERT_EQ(report.findings.size(), 1u);
    const Finding& finding = report.findings[0];
    EXPECT_EQ(finding.id, "state-after-set_mask");
    EXPECT_EQ(finding.repeats, Repeats::state_dependent);
    EXPECT_EQ(finding.cases, report.diverges);
    ASSERT_EQ(finding.before.size(), 1u);
    ASSERT_EQ(finding.before[0].instructions.size(), 1u);
    EXPECT_TRUE(poisons(finding.before[0].instructions[0]));
    EXPECT_EQ(finding.program.instructions.size(), 1u);
  }
}

/// The mask that a program leaves is still there in the next one.
Backend leaking_mask() {
  const auto left = std::make_shared<std::optional<Instruction>>();
  Backend backend = function_backend("leaking", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (*left && !program.instructions.empty())
      program.instructions.insert(program.instructions.begin(), **left);
    for (const Instruction& insn : given.instructions) {
      if (insn.op == Op::set_mask) *left = insn;
      if (insn.op == Op::reset_mask) left->reset();
    }
    return example_backend().run(program, state);
  });
  backend.restart = [left] { left->reset(); };
  return backend;
}

TEST(UnstableCases, AMaskThatLeaksIsOneFindingWithTheProgramBefore) {
  const Report report = run_on(leaking_mask());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "state-keeps-mask");
  EXPECT_TRUE(
      report.findings[0].what.starts_with("starts a program with the mask that the program before left"))
      << report.findings[0].what;
  EXPECT_EQ(report.findings[0].cases, report.diverges);
  ASSERT_EQ(report.findings[0].before.size(), 1u);
  EXPECT_EQ(report.findings[0].before[0].instructions.size(), 1u);
}

/// A process keeps the addresses of the first vnot of a type at each place: the key has no repeat stride.
Backend keeps_strides() {
  using Key = std::pair<std::uint32_t, Element>;
  const auto kept = std::make_shared<std::map<Key, std::uint32_t>>();
  Backend backend = function_backend("keeps", "", [kept](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions) {
      if (insn.op != Op::vnot) continue;
      const std::uint32_t own = insn.operands[0].repeat_stride, start = start_of(program, insn.operands[0]);
      insn.operands[0].repeat_stride = kept->try_emplace({start, insn.dst_type}, own).first->second;
      if (start + extent(insn, 0, lanes_of(insn)) > program.ub.size()) insn.operands[0].repeat_stride = own;
    }
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  backend.restart = [kept] { kept->clear(); };
  return backend;
}

TEST(UnstableCases, AStrideThatAProcessKeepsIsNamed) {
  const Report report = run_on(keeps_strides());
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "state-keeps-stride");
  EXPECT_TRUE(finding.what.starts_with("vnot.")) << finding.what;
  EXPECT_NE(finding.what.find(" takes the repeat stride of dst of the vnot."), std::string::npos)
      << finding.what;
  EXPECT_FALSE(finding.before.empty());
}

/// The oracle from the mask that `start` makes of the one which the process left.
Backend starts_with(Mask (*start)(const Mask& left)) {
  const auto left = std::make_shared<Mask>(kFullMask);
  Backend backend = function_backend("starts", "", [=](const Program& program, State& state) -> Outcome {
    state = {.ub = program.ub, .mask = start(*left)};
    for (const Instruction& insn : program.instructions)
      execute_one(program, insn, Semantics(default_readings(program.profile)), state);
    *left = state.mask;
    return Ran{};
  });
  backend.restart = [left] { *left = kFullMask; };
  return backend;
}

TEST(UnstableCases, AWordOfTheMaskThatAProcessKeepsIsNamed) {
  const Report report = run_on(starts_with([](const Mask& left) {
    Mask mask = kFullMask;
    set_mask_word(mask, 1, mask_word(left, 1));
    return mask;
  }));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "state-keeps-mask");
  EXPECT_EQ(report.findings[0].what,
            "starts a program with the high word of the mask that the program before left: so in 5 of 5 new "
            "processes; it is right if this is the first program of a process");
}

/// A process that sends the words of a mask only if they are not those that it sent last.
TEST(UnstableCases, ASetMaskThatAProcessLeavesOutIsNamed) {
  const auto sent = std::make_shared<std::optional<std::pair<std::uint64_t, std::uint64_t>>>();
  Backend backend = function_backend("sends once", "", [sent](const Program& given, State& state) -> Outcome {
    Program program = given;
    std::erase_if(program.instructions, [&](const Instruction& insn) {
      if (insn.op != Op::set_mask) return false;
      const auto before = *sent;
      *sent = {insn.low, insn.high};
      return before == *sent;
    });
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  backend.restart = [sent] { sent->reset(); };
  const Report report = run_on(backend);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "state-keeps-words");
  EXPECT_TRUE(report.findings[0].what.starts_with(
      "leaves out each set_mask whose words the one before had, also if that was in an earlier program"))
      << report.findings[0].what;
}

/// A process keeps one scalar for all that are equal: -0 and +0 are. A program that has both is wrong in a
/// new process, too, and the smallest part of it is not.
TEST(UnstableCases, APartOfACaseThatIsRightInANewProcessIsNoLawOfInstructions) {
  const auto kept = std::make_shared<std::map<std::pair<Element, double>, Scalar>>();
  Backend backend = function_backend("interns", "", [kept](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::dup && is_float(insn.dst_type))
        insn.scalar =
            kept->try_emplace({insn.dst_type, value_of(insn.dst_type, insn.scalar.bits)}, insn.scalar)
                .first->second;
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  backend.restart = [kept] { kept->clear(); };
  const Report report = run_on(backend);
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) EXPECT_NE(finding.repeats, Repeats::stable) << finding.what;
}

TEST(UnstableCases, StandInTheJsonReport) {
  const auto random = nlohmann::json::parse(report_text(run_on(random_add())));
  const auto state = nlohmann::json::parse(report_text(run_on(poisoned_by_mask())));
  for (const auto& report : {random, state})
    EXPECT_EQ(schema_faults("reports/report.schema.json", report), "");
  EXPECT_EQ(random["findings"][0]["repeats"]["class"], "random");
  EXPECT_EQ(random["findings"][0]["repeats"]["rate"]["asked"], 100);
  EXPECT_EQ(state["findings"][0]["repeats"]["class"], "state-dependent");
  EXPECT_EQ(state["findings"][0]["repeats"]["before"].size(), 1u);
}

TEST(UnstableCases, TheNumberOfProgramsBeforeIsTheTrigger) {
  const Report report =
      run_on(faulty([](const Program&, Process& process) { return process.programs >= 20; }));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].before.size(), 19u);
  EXPECT_EQ(report.findings[0].cases, report.diverges);
}

/// Wrong about each program the first time that it runs. Nothing brings this about again.
TEST(UnstableCases, CasesThatNothingExplainsAreAskedAboutFewerAndFewer) {
  unsigned programs = 0;
  std::set<std::string> known;
  const Report report =
      run_on(faulty([&](const Program& program, Process&) {
               ++programs;
               return known.insert(print(program)).second && program.instructions.size() > 1;
             }),
             false);
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "not-repeatable");
  EXPECT_GT(finding.cases, 40u);
  EXPECT_EQ(finding.cases, report.diverges);
  EXPECT_LT(programs, 20'000u);
  EXPECT_TRUE(finding.what.ends_with("that bring it about")) << finding.what;
}

/// Always wrong in some processes, and always right in others.
TEST(UnstableCases, AFaultOfSomeProcessesSaysSo) {
  unsigned started = 0;
  const Report report = run_on(faulty([&](const Program& program, Process& process) {
    if (process.programs == 1) ++started;
    return has_add(program) && started % 2 == 1;
  }));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].repeats, Repeats::random);
  EXPECT_TRUE(report.findings[0].what.starts_with(
      "is wrong about a program in some new processes, and right in others"))
      << report.findings[0].what;
}

/// A second fault is always wrong in one way: a program that shows it alone is not run again with another
/// result.
TEST(UnstableCases, TheSmallestProgramWhoseAnswersChangeIsOneWhoseAnswersChange) {
  const auto has = [](const Program& program, bool sums) {
    return std::ranges::any_of(program.instructions, [&](const Instruction& each) {
      return !row_of(each.op).operands.empty() && (each.op == Op::cadd) == sums;
    });
  };
  const auto changes = [=](const Program& program) { return has(program, true) && has(program, false); };
  const Backend backend = function_backend(
      "two faults", "",
      [=, runs = 0u, example = example_backend()](const Program& program, State& state) mutable {
        Outcome outcome = example.run(program, state);
        if (has(program, false)) state.ub.front() ^= std::byte{0xff};
        if (changes(program)) state.ub.back() ^= static_cast<std::byte>(1 + ++runs % 200);
        return outcome;
      });
  const Report report = run_on(backend);
  const auto random = std::ranges::find(report.findings, Repeats::random, &Finding::repeats);
  ASSERT_NE(random, report.findings.end());
  EXPECT_TRUE(changes(random->program)) << print(random->program);
  EXPECT_TRUE(random->what.starts_with("leaves different wrong states if the same program is run again"))
      << random->what;
}

TEST(UnstableCases, AStableFaultIsNone) {
  const Report report = run_on(faulty([](const Program& program, Process&) { return has_add(program); }));
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.repeats, Repeats::stable) << finding.what;
    EXPECT_TRUE(finding.before.empty());
  }
}

}  // namespace
}  // namespace lanecheck
