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
/// of an earlier program reaches it.
Recording record(const Exam& exam, const Semantics& semantics, bool fresh = false) {
  Recording recording;
  recording.name = "exam";
  recording.profile = exam.front().program.profile;
  recording.shown = false;
  State state;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const bool first = is_first_of_launch(exam, n);
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
std::size_t diverging(const Recording& recording, const Readings& readings) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < recording.programs.size(); ++n)
    count +=
        compare(recording.programs[n], Semantics(readings), recording.records[n].state, false).agrees ? 0 : 1;
  return count;
}

class Exams : public testing::TestWithParam<Profile> {
 protected:
  const Readings& readings() const { return default_readings(GetParam()); }
};

TEST_P(Exams, LeaveTheDocumentedBytesIfTheyArePacked) {
  const Exam& exam = distilled(GetParam()).exam;
  EXPECT_EQ(diverging(record(exam, Semantics(readings())), readings()), 0u);
  for (std::uint32_t launch = 0; launch < launches_of(exam); ++launch) {
    const Program packed = launch_program(exam, launch);
    EXPECT_LE(packed.ub.size(), kMaxUbBytes);
    EXPECT_LE(packed.instructions.size(), kMaxInstructions);
    EXPECT_FALSE(find_fault(packed, readings()));
  }
}

/// Every mutant runs on the packed launches. What `lanecheck judge` then says is what counts.
TEST_P(Exams, CatchEveryMutantThatTheyClaim) {
  const Goals goals(GetParam());
  const Distilled& made = distilled(GetParam());
  RunOptions options;
  options.mix.profile = GetParam();
  options.readings = readings();
  options.most_findings = 1;
  options.minimize = false;
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
    const bool leaks =
        diverging(recording, readings()) > diverging(record(made.exam, goal.semantics, true), readings());
    // Nothing but SetMaskNorm puts normal mode back.
    EXPECT_TRUE(!leaks || goal.id == "norm-ignored") << goal.id << " reaches the programs after it";
  }
  std::cout << row_of(GetParam()).name << ": " << made.exam.size() << " programs, " << launches_of(made.exam)
            << " launches, " << caught << " of " << all << " mutants caught\n";
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
    const bool told = diverging(record(made.exam, one), other.readings) > 0 &&
                      diverging(record(made.exam, other), one.readings) > 0;
    EXPECT_TRUE(told || made.goals[n].programs == 0) << goal.id;
    EXPECT_TRUE(made.goals[n].programs > 0 || goal.by_refusal_alone || GetParam() != Profile::vmc ||
                goal.reading->id == "sum_order")
        << goal.id << " is not told apart";
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Exams, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(AnExam, OfVmcIsSmall) {
  const Exam& exam = distilled(Profile::vmc).exam;
  EXPECT_LE(exam.size(), 100u);
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
  const Exam& exam = distilled(Profile::vmc).exam;
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
