// Exams run as a machine runs them, launch after launch, and are judged as recorded results.
#include "fuzz/exam/distill.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "fuzz/exam/export.h"
#include "fuzz/generate/generate_testing.h"
#include "fuzz/recorded/judge_recording.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

const Distilled& distilled(Profile profile) {
  static std::map<Profile, Distilled> made;
  if (!made.contains(profile))
    made[profile] =
        distill(Goals(profile), {.mix = {.profile = profile, .most_instructions = 4}, .most_cases = 2500});
  return made[profile];
}

/// What a machine leaves. The programs of a launch run one after the other on one state. The region of each
/// is loaded before it and stored after it. With `fresh` each program starts on a new state, so that no fault
/// of an earlier program reaches it. The machine refuses what its readings forbid, except by rule `accepts`.
Recording record(const Exam& exam, const Semantics& semantics, bool fresh = false,
                 const LegalityRule* accepts = nullptr) {
  Recording recording;
  recording.name = "exam";
  recording.profile = exam.front().program.profile;
  recording.shown = false;
  State state;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const bool first = is_first_of_launch(exam, n);
    if (const auto fault = find_fault(exam[n].program, semantics.readings); fault && exam[n].alone) {
      const bool runs = fault->rule == accepts;
      recording.programs.push_back(exam[n].program);
      recording.records.push_back({n, "exam:" + std::to_string(n + 1),
                                   runs ? Outcome{Ran{}} : Outcome{Refused{fault->what}},
                                   State{exam[n].program.ub}});
      continue;
    }
    const Program placed = placed_program(exam[n]);
    if (first || fresh) {
      state = {launch_program(exam, exam[n].launch).ub};
      state.mask = semantics.initial_mask;
    }
    const auto region = state.ub.begin() + exam[n].base;
    const auto bytes = static_cast<std::ptrdiff_t>(exam[n].program.ub.size());
    std::ranges::copy(exam[n].program.ub, region);
    for (const Instruction& insn : (first ? placed : after_reset(placed)).instructions)
      execute_one(placed, insn, semantics, state);
    recording.programs.push_back(exam[n].program);
    recording.records.push_back({n, "exam:" + std::to_string(n + 1), Ran{}, {}});
    recording.records.back().state.ub.assign(region, region + bytes);
  }
  return recording;
}

/// The programs that diverge in the recording, by the documents alone.
std::size_t diverging(const Exam& exam, const Recording& recording, const Readings& readings) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < recording.programs.size(); ++n) {
    const Program& program = recording.programs[n];
    const bool ran = std::holds_alternative<Ran>(recording.records[n].outcome);
    const bool must_run = !exam[n].alone || !find_fault(program, readings);
    const bool agrees =
        ran == must_run &&
        (!ran || compare(program, Semantics(readings), recording.records[n].state, false).agrees);
    count += agrees ? 0 : 1;
  }
  return count;
}

std::size_t first_of(const Exam& exam, std::uint32_t launch) {
  return static_cast<std::size_t>(std::ranges::find(exam, launch, &ExamProgram::launch) - exam.begin());
}

RunOptions judging(Profile profile) {
  RunOptions options;
  options.mix.profile = profile;
  options.readings = default_readings(profile);
  options.minimize = false;
  return options;
}

std::vector<std::string> ids_of(const Report& report) {
  std::vector<std::string> ids;
  for (const Finding& each : report.findings) ids.push_back(each.id);
  return ids;
}

class Exams : public testing::TestWithParam<Profile> {
 protected:
  const Readings& readings() const { return default_readings(GetParam()); }
};

TEST_P(Exams, LeaveTheDocumentedBytesIfTheyArePacked) {
  const Exam& exam = distilled(GetParam()).exam;
  EXPECT_EQ(diverging(exam, record(exam, Semantics(readings())), readings()), 0u);
  for (std::uint32_t launch = 0; launch < launches_of(exam); ++launch) {
    const Program packed = launch_program(exam, launch);
    EXPECT_LE(packed.ub.size(), kMaxUbBytes);
    EXPECT_LE(packed.instructions.size(), kMaxInstructions);
    EXPECT_TRUE(!find_fault(packed, readings()) || exam[first_of(exam, launch)].alone);
  }
}

/// Every mutant runs on the packed launches. What `lanecheck judge` then says is what counts.
TEST_P(Exams, CatchEveryMutantThatTheyClaim) {
  const Goals goals(GetParam());
  const Distilled& made = distilled(GetParam());
  RunOptions options = judging(GetParam());
  options.most_findings = 1;
  unsigned all = 0, caught = 0;
  for (std::size_t n = 0; n < goals.list().size(); ++n) {
    const Goal& goal = goals.list()[n];
    if (goal.mutant == nullptr) continue;
    const Recording recording = record(made.exam, goal.semantics);
    const Report report = judge_recording(recording, options);
    ++all;
    caught += report.diverges > 0 ? 1 : 0;
    EXPECT_TRUE(report.diverges > 0 || made.goals[n].programs == 0) << goal.id;
    EXPECT_TRUE(made.goals[n].programs > 0 || !made.goals[n].reading.empty()) << goal.id;
    const bool leaks = diverging(made.exam, recording, readings()) >
                       diverging(made.exam, record(made.exam, goal.semantics, true), readings());
    // Nothing but SetMaskNorm puts normal mode back.
    EXPECT_TRUE(!leaks || goal.id == "norm-ignored") << goal.id << " reaches the programs after it";
  }
  std::cout << row_of(GetParam()).name << ": " << made.exam.size() << " programs, " << launches_of(made.exam)
            << " launches, " << caught << " of " << all << " mutants caught\n";
}

/// One option allows more results than another one, and the oracle gives the same: no program tells them
/// apart.
bool allows_more(const Reading& reading) {
  return reading.id == "sum_order" || reading.id == "outside_domain";
}

/// With each option as the documented behaviour, some program tells what the other options leave from it.
TEST_P(Exams, SettleTheReadingsThatTheyClaim) {
  const Goals goals(GetParam());
  const Distilled& made = distilled(GetParam());
  for (std::size_t n = 0; n < goals.list().size(); ++n) {
    const Goal& goal = goals.list()[n];
    if (goal.mutant != nullptr) continue;
    const Semantics &one = goals.meanings()[goal.one].semantics,
                    &other = goals.meanings()[goal.other].semantics;
    const bool told = diverging(made.exam, record(made.exam, one), other.readings) > 0 &&
                      diverging(made.exam, record(made.exam, other), one.readings) > 0;
    EXPECT_TRUE(told || made.goals[n].programs == 0) << goal.id;
    EXPECT_TRUE(made.goals[n].programs > 0 || !(goal.by_refusal_alone || GetParam() == Profile::vmc) ||
                allows_more(*goal.reading))
        << goal.id << " is not told apart";
  }
}

TEST_P(Exams, FindNothingInARightMachine) {
  const Exam& exam = distilled(GetParam()).exam;
  const Report report = judge_recording(record(exam, Semantics(readings())), judging(GetParam()));
  EXPECT_EQ(report.conforms, exam.size());
  for (const RuleCount& rule : report.legality_rules) EXPECT_GT(rule.exercised, 0u) << rule.id;
}

/// A rule that an open reading allows to break, whatever breaks it, is that reading's alone.
TEST_P(Exams, NameEveryRuleOfLegalityThatAMachineDoesNotKnow) {
  const Distilled& made = distilled(GetParam());
  for (const RuleResult& each : made.rules) {
    if (!each.rule->tried()) continue;
    ASSERT_NE(each.programs > 0, !each.reading.empty()) << each.rule->id;
    const Recording recording = record(made.exam, Semantics(readings()), false, each.rule);
    const Report report = judge_recording(recording, judging(GetParam()));
    if (each.programs == 0) {
      EXPECT_EQ(ids_of(report), std::vector{each.reading}) << each.rule->id;
      continue;
    }
    EXPECT_GT(report.diverges, 0u) << each.rule->id;
    ASSERT_FALSE(report.findings.empty()) << each.rule->id;
    const auto named =
        std::ranges::find(report.findings, "accepts-illegal-" + std::string(each.rule->id), &Finding::id);
    EXPECT_NE(named, report.findings.end()) << each.rule->id;
    for (const Finding& finding : report.findings)
      EXPECT_TRUE(finding.matter == Matter::reading || &finding == &*named) << finding.id;
  }
}

TEST_P(Exams, NameTheReadingThatDecidesWhatIsRefused) {
  const Goals goals(GetParam());
  const Distilled& made = distilled(GetParam());
  for (const Goal& goal : goals.list()) {
    if (!goal.by_refusal_alone) continue;
    for (const std::size_t meaning : {goal.one, goal.other}) {
      const Meaning& option = goals.meanings()[meaning];
      if (option.id.empty()) continue;
      const Report report = judge_recording(record(made.exam, option.semantics), judging(GetParam()));
      ASSERT_EQ(report.findings.size(), 1u) << goal.id;
      // Of a legal program that is refused, only what the machine says is known.
      EXPECT_TRUE(report.findings[0].id == option.id ||
                  report.findings[0].id.starts_with("refuses-legal-program-"))
          << goal.id;
    }
  }
}

TEST_P(Exams, LeaveRefusalsNotJudgedIfAMachineRefusesNothing) {
  const Exam& exam = distilled(GetParam()).exam;
  Recording recording = record(exam, Semantics(readings()));
  std::size_t illegal = 0;
  for (Record& each : recording.records)
    if (std::holds_alternative<Refused>(each.outcome)) {
      each.outcome = Ran{};
      ++illegal;
    }
  const Report report = judge_recording(recording, judging(GetParam()));
  EXPECT_GT(illegal, 0u);
  EXPECT_EQ(report.skipped, illegal);
  EXPECT_EQ(report.conforms, exam.size() - illegal);
}

INSTANTIATE_TEST_SUITE_P(Of, Exams, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(AnExam, OfVmcIsSmall) {
  Exam exam = distilled(Profile::vmc).exam;
  EXPECT_LE(exam.size(), 100u);
  EXPECT_GT(leave_out_refusals(exam), 0u);
  EXPECT_LE(launches_of(exam), 8u);
}

TEST(AnExam, PutsWhatNeedsTheStartFirst) {
  const Exam& exam = distilled(Profile::vmc).exam;
  std::size_t starts = 0;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    if (!exam[n].needs_start) continue;
    ++starts;
    EXPECT_EQ(exam[n].base, 0u);
  }
  EXPECT_GE(starts, 1u);  // VMC 1 says with which mask a program starts
}

TEST(AnExam, ComparesNoByteThatTheDocumentsLeaveOpen) {
  Exam exam = distilled(Profile::vmc).exam;
  leave_out_refusals(exam);
  const Goals goals(Profile::vmc);
  const ExamLayout layout(exam);
  std::map<std::string, std::string> files;
  for (const ExportedFile& each : export_exam(exam, ExportFormat::gtest)) files[each.name] = each.text;
  ASSERT_EQ(files[kCompared].size(), layout.bytes);
  std::size_t skipped = 0;
  for (const Meaning& meaning : goals.meanings()) {
    const Recording left = record(exam, meaning.semantics);
    for (std::size_t n = 0; n < exam.size(); ++n)
      for (std::size_t at = 0; at < left.programs[n].ub.size(); ++at) {
        const std::size_t place = layout.offset_of(exam[n]) + at;
        const bool differs = static_cast<char>(left.records[n].state.ub[at]) != files[kGolden][place];
        ASSERT_TRUE(!differs || files[kCompared][place] == '\0') << meaning.id << ", program " << n;
        skipped += files[kCompared][place] == '\0' ? 1 : 0;
      }
  }
  EXPECT_LT(skipped, layout.bytes * goals.meanings().size() / 4) << "most bytes have one value";
}

}  // namespace
}  // namespace lanecheck
