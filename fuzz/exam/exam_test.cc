// Exams as files, and how their programs are packed.
#include "fuzz/exam/exam.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fuzz/exam/export.h"
#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate_testing.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

/// Generated cases; the third needs the state in which a launch starts.
Exam exam_of(Profile profile, std::uint64_t cases) {
  Exam exam;
  for (std::uint64_t index = 0; exam.size() < cases; ++index) {
    ExamProgram& each = exam.emplace_back();
    generate(1, index, {.profile = profile}, each.program);
    each.needs_start = exam.size() == 3;
    if (!may_come_later(each.program, default_readings(profile))) exam.pop_back();
  }
  pack(exam);
  return exam;
}

Exam read_text(const std::string& text) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / kMutatedFile;
  std::ofstream(file) << text;
  return read_exam(file.string());
}

class Packed : public testing::TestWithParam<Profile> {};

TEST_P(Packed, ProgramsLeaveTheDocumentedBytes) {
  const Semantics semantics(default_readings(GetParam()));
  const Exam exam = exam_of(GetParam(), 30);
  State alone, launch;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    if (is_first_of_launch(exam, n)) {
      const Program packed = launch_program(exam, exam[n].launch);
      EXPECT_LE(packed.ub.size(), kMaxUbBytes);
      EXPECT_FALSE(find_fault(packed, semantics.readings));
      execute(packed, semantics, launch);
    }
    execute(exam[n].program, semantics, alone);
    EXPECT_TRUE(std::equal(alone.ub.begin(), alone.ub.end(), launch.ub.begin() + exam[n].base)) << n;
  }
}

TEST_P(Packed, ExamsAreReadBackAsTheyWereWritten) {
  const Exam exam = exam_of(GetParam(), 10);
  const std::string text = print_exam(exam);
  const Exam read = read_text(text);
  ASSERT_EQ(read.size(), exam.size());
  for (std::size_t n = 0; n < exam.size(); ++n) EXPECT_EQ(read[n].program, exam[n].program);
  EXPECT_EQ(print_exam(read), text);
}

INSTANTIATE_TEST_SUITE_P(Of, Packed, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(AnExam, PutsWhatNeedsTheStartFirst) {
  Exam exam = exam_of(Profile::vmc, 5);
  EXPECT_TRUE(exam[0].needs_start);
  for (ExamProgram& each : exam) each.needs_start = true;
  pack(exam);
  EXPECT_EQ(launches_of(exam), 5u);
}

/// Legal programs, and two that a machine may refuse: the first of them is illegal.
Exam exam_with_refusals() {
  Exam exam = exam_of(Profile::vmc, 5);
  for (const bool outside : {true, false}) {
    ExamProgram& each = exam.emplace_back();
    each.alone = true;
    generate_at({find_legality_rule("LAW-alignment"), outside}, 1, 0, Mix{}, {}, each.program);
  }
  pack(exam);
  return exam;
}

TEST(AnExam, GivesWhatAMachineMayRefuseLaunchesOfTheirOwnAtTheEnd) {
  const Exam legal = exam_of(Profile::vmc, 5);
  Exam exam = exam_with_refusals();
  ASSERT_EQ(exam.size(), 7u);
  EXPECT_EQ(launches_of(exam), launches_of(legal) + 2);
  for (const std::size_t n : {5u, 6u}) {
    EXPECT_TRUE(exam[n].alone);
    EXPECT_TRUE(is_first_of_launch(exam, n));
  }
  EXPECT_EQ(print_exam(read_text(print_exam(exam))), print_exam(exam));
  EXPECT_EQ(leave_out_refusals(exam), 2u);
  EXPECT_EQ(print_exam(exam), print_exam(legal));
}

TEST(AnExam, ThatCannotRunIsRefusedByName) {
  const auto refusal = [](auto change) -> std::string {
    Exam exam = exam_with_refusals();
    change(exam);
    try {
      read_text(print_exam(exam));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](Exam&) {}), "");
  EXPECT_NE(refusal([](Exam& e) { e[0].base = 32; }).find("id 0: is the first program"), std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[1].base = 32; }).find("id 1: overlaps"), std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[2].needs_start = true; }).find("id 2: must be the first"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[4].launch = 3; }).find("id 4: the launches"), std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[4].base = kMaxUbBytes - 32; }).find("id 4: does not lie"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) {
              for (Instruction& insn : e[1].program.instructions)
                for (Operand& operand : insn.operands) operand.offset += 1 << 20;
            }).find("2: the program is illegal"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) {
              for (ExamProgram& each : e) each.alone = false;
            }).find("the program is illegal (LAW-alignment), and \"alone\" does not say"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[1].alone = true; }).find("id 1: a program that a machine may refuse"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e[0].alone = true; }).find("id 1: a program that a machine may refuse"),
            std::string::npos);
  EXPECT_NE(refusal([](Exam& e) { e.erase(e.begin() + 1, e.end()), e[0].launch = 1; }).find("id 0"),
            std::string::npos);
}

TEST(ASource, KeepsTheSignOfAZeroScalar) {
  Exam exam = exam_of(Profile::vmc, 30);
  for (ExamProgram& each : exam)
    for (Instruction& insn : each.program.instructions)
      if (takes_scalar(insn) && scalar_type(insn) == Element::f32) insn.scalar = {0x80000000, -0.0};
  const ExamLayout layout(exam);
  EXPECT_NE(numpy_source(exam, layout).front().text.find("Scalar(-0.0, 0x80000000)"), std::string::npos);
  EXPECT_NE(gtest_source(exam, layout).back().text.find("0x80000000u, -0x0p+0, "), std::string::npos);
}

TEST(AnExam, ThatIsMutatedIsReadOrRefusedByName) {
  expect_reads_or_refuses(print_exam(exam_of(Profile::vmc, 1)), 300, read_text);
}

}  // namespace
}  // namespace lanecheck
