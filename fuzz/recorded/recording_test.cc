// Records as lines and as folders, and what is judged of them.
#include "fuzz/recorded/recording.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/recorded/folder.h"
#include "fuzz/recorded/judge_recording.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

Program program_of(Profile profile, std::uint64_t index) {
  Program program;
  Mix mix;
  mix.profile = profile;
  generate(1, index, mix, program);
  return program;
}

State state_of(const Program& program) {
  State state;
  execute(program, Semantics(default_readings(program.profile)), state);
  return state;
}

class Records : public testing::TestWithParam<Profile> {};

TEST_P(Records, ReadBackAsTheyWereWritten) {
  RecordingReader reader("file", {});
  for (std::uint64_t index = 0; index < 50; ++index) {
    const Program program = program_of(GetParam(), index);
    const RecordedQuestion question = read_question(question_line(program, index, 50), "question");
    ASSERT_EQ(question.program, program);
    EXPECT_EQ(question.id, index);
    EXPECT_EQ(question.of, 50u);
    reader.add_line(answer_line(program, index, 50, Ran{}, state_of(program), true), "file");
  }
  const Recording recording = reader.take();
  EXPECT_EQ(recording.faults, std::vector<std::string>{});
  ASSERT_EQ(recording.programs.size(), 50u);
  for (std::uint64_t index = 0; index < 50; ++index) {
    const State expected = state_of(program_of(GetParam(), index)), &actual = recording.records[index].state;
    EXPECT_EQ(actual.ub, expected.ub);
    EXPECT_EQ(actual.mask, expected.mask);
    EXPECT_EQ(actual.mode, expected.mode);
  }
  EXPECT_EQ(recording.profile, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Of, Records, testing::ValuesIn(kEveryProfile), test_name_of);

TEST(Records, WithoutAMaskAreJudgedByUbAlone) {
  const Program program = program_of(Profile::vmc, 5);
  State state = state_of(program);
  state.mask = kFullMask;
  RecordingReader reader("file", {});
  reader.add_line(answer_line(program, 5, 1, Ran{}, state, {false, false}), "file");
  const Report report = judge_recording(reader.take(), {});
  EXPECT_EQ(report.conforms, 1u);
  EXPECT_FALSE(report.shows_mask);
}

TEST(ARecording, AnswersItsOwnProgramsOnly) {
  RecordingReader reader("file", {});
  const Program program = program_of(Profile::vmc, 1);
  reader.add_line(answer_line(program, 1, 1, Errored{"dumped"}, {}, true), "file");
  const Recording recording = reader.take();
  const Backend backend = backend_of(recording);
  State state;
  EXPECT_TRUE(std::holds_alternative<Errored>(backend.run(program, state)));
  EXPECT_TRUE(std::holds_alternative<Skipped>(backend.run(program_of(Profile::vmc, 2), state)));
}

TEST(ARecording, ThatIsTooLargeIsReadToALimitAndSaysSo) {
  RecordingReader reader("file", {}, std::size_t{1} << 20);
  std::uint64_t id = 0;
  for (; !reader.is_full(); ++id) {
    ASSERT_LT(id, 10'000u) << "each record has more than 100 bytes";
    const Program program = program_of(Profile::vmc, 1);
    reader.add_line(answer_line(program, id, 20'000, Errored{"dumped"}, {}, true), "file");
  }
  reader.refuse_rest("file:" + std::to_string(id + 1));
  const Recording recording = reader.take();
  EXPECT_EQ(recording.records.size(), id);
  EXPECT_EQ(recording.faults,
            std::vector<std::string>{"file:" + std::to_string(id + 1) +
                                     ": the rest is not read: programs and results of more than 1 MiB do not "
                                     "fit (split the recording)"});
}

TEST(ARecording, OfAFlakyMachineIsNotRepeatable) {
  const Program program = program_of(Profile::vmc, 1);
  const State right = state_of(program);
  State wrong = right;
  wrong.ub.back() ^= std::byte{1};
  for (const bool wrong_first : {false, true}) {
    RecordingReader reader("file", {});
    reader.add_line(answer_line(program, 1, 2, Ran{}, wrong_first ? wrong : right, true), "file:1");
    reader.add_line(answer_line(program, 2, 2, Ran{}, wrong_first ? right : wrong, true), "file:2");
    const Report report = judge_recording(reader.take(), {});
    EXPECT_EQ(report.conforms, 1u);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].id, "not-repeatable");
    EXPECT_EQ(report.findings[0].first_file, wrong_first ? "file:1, id 1" : "file:2, id 2");
  }
}

/// A program with operands that lie beyond their allocations.
Program illegal_program() {
  for (std::uint64_t index = 0;; ++index) {
    Program program = program_of(Profile::vmc, index);
    for (Instruction& insn : program.instructions) insn.operands[0].offset += 1 << 20;
    if (find_fault(program, {})) return program;
  }
}

TEST(ARecording, IsJudgedOnIllegalProgramsIfItRefusesSome) {
  const Program legal = program_of(Profile::vmc, 1), illegal = illegal_program();
  for (const bool refuses : {false, true}) {
    RecordingReader reader("file", {});
    reader.add_line(answer_line(illegal, 0, 2, Ran{}, State{illegal.ub}, true), "file:1");
    const Outcome outcome = refuses ? Outcome{Refused{"no"}} : Outcome{Ran{}};
    reader.add_line(answer_line(refuses ? illegal : legal, 1, 2, outcome, state_of(legal), true), "file:2");
    const Report report = judge_recording(reader.take(), {});
    EXPECT_EQ(report.skipped, refuses ? 0u : 1u);
    EXPECT_EQ(report.diverges, refuses ? 1u : 0u);
    EXPECT_EQ(report.conforms, 1u);
  }
}

/// Throws the faults of a recording as one error, and judges what could be read.
void judge_all(Recording recording) {
  judge_recording(recording, {});
  for (const std::string& fault : recording.faults) throw InputError(recording.name, fault);
}

TEST(ARecording, ThatIsMutatedIsJudgedOrRefusedByName) {
  const Program program = program_of(Profile::vmc, 7);
  const auto read = [](std::string_view text) {
    RecordingReader reader(kMutatedFile, {});
    reader.add_line(text, kMutatedFile);
    judge_all(reader.take());
  };
  expect_reads_or_refuses(answer_line(program, 0, 1, Ran{}, state_of(program), true), 400, read);
}

TEST(ARecording, AsAMutatedFolderIsJudgedOrRefusedByName) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path() / kMutatedFile;
  std::filesystem::create_directory(folder);
  const auto write = [&](const char* name, std::string_view text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  FolderQuestions questions;
  std::string after;
  for (const std::uint64_t index : {0u, 1u}) {
    const Program program = program_of(Profile::vmc, index);
    questions.add(program, index, 2);
    const State state = state_of(program);
    after.append(reinterpret_cast<const char*>(state.ub.data()), state.ub.size());
  }
  write(kInput, questions.input());
  write(kOutput, after);
  const auto read = [&](std::string_view text) {
    write(kManifest, text);
    judge_all(read_folder(folder, {}));
  };
  read(questions.manifest());
  expect_reads_or_refuses(questions.manifest(), 300, read);
  expect_refuses_depth(questions.manifest(), "/programs/0/instructions", read);
}

}  // namespace
}  // namespace lanecheck
