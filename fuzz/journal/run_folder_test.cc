// Parts of a run tile its window, and a folder belongs to one run and to one process.
#include "fuzz/journal/run_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "fuzz/journal/checkpoint_json.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST(Part, PartsFollowEachOtherWithoutAGapAndAreOfAboutOneLength) {
  for (const std::uint64_t cases : {1ull, 7ull, 64ull, 1000003ull, 1ull << 62})
    for (const std::uint64_t of : {1u, 2u, 3u, 7u, 1000u, 99'999u}) {
      std::uint64_t next = 5;
      for (std::uint64_t number = 1; number <= of; ++number) {
        const Part part{number, of};
        ASSERT_EQ(part.first(5, cases), next);
        ASSERT_LE(part.cases(cases), cases / of + 1);
        next += part.cases(cases);
      }
      EXPECT_EQ(next, 5 + cases) << cases << " / " << of;
    }
}

TEST(Part, TextThatNamesNoPartIsRefused) {
  for (const char* text : {"", "3", "0/3", "4/3", "1/0", "-1/3", "1/3x", "a/b", "1/2/3", "1/999999999"})
    EXPECT_THROW(read_part(text), InputError) << text;
  EXPECT_EQ(read_part("2/8").number, 2u);
  EXPECT_EQ(read_part("2/8").of, 8u);
}

TEST_F(RunFolderTest, ItKeepsTheSettingsAndTheProgressOfARun) {
  {
    const RunFolder folder(folder_ / "run", {R"({"cases":9})", {2, 3}});
    Checkpoint progress(Profile::tik);
    progress.failed = {4, 5};
    folder.write("checkpoint.json", checkpoint_text(progress));
  }
  const RunRecord record = read_run(folder_ / "run");
  EXPECT_EQ(record.settings, R"({"cases":9})");
  EXPECT_EQ(record.part.number, 2u);
  EXPECT_EQ(read_progress(folder_ / "run", Profile::tik, 4, 9).failed, (std::vector<std::uint64_t>{4, 5}));
}

TEST_F(RunFolderTest, ACheckpointOfOtherCasesIsRefused) {
  const RunFolder folder(folder_ / "run", {R"({"cases":9})", {}});
  const auto done = [&](std::uint64_t first, std::uint64_t cases) {
    return read_progress(folder_ / "run", Profile::tik, first, cases).done();
  };
  Checkpoint progress(Profile::tik);
  progress.failed = {4, 5, ~std::uint64_t{0} - 1};
  folder.write("checkpoint.json", checkpoint_text(progress));
  EXPECT_THROW(done(4, 9), InputError) << "far behind the run";
  progress.failed = {4, 5};
  folder.write("checkpoint.json", checkpoint_text(progress));
  EXPECT_EQ(done(4, 2), 2u);
  EXPECT_THROW(done(4, 1), InputError) << "more cases than the run has";
  EXPECT_THROW(done(5, 9), InputError) << "before the run";
  EXPECT_THROW(done(3, 9), InputError) << "behind the second case of the run, and two were done";
  progress.failed = {5, 4};
  folder.write("checkpoint.json", checkpoint_text(progress));
  EXPECT_THROW(done(4, 9), InputError) << "not in order";
}

TEST_F(RunFolderTest, ASecondRunDoesNotTakeTheFolderOfAnother) {
  { const RunFolder folder(folder_, {"{}", {}}); }
  EXPECT_THROW(RunFolder(folder_, {"{}", {}}), InputError);
}

TEST_F(RunFolderTest, AFolderWithoutARunIsRefused) {
  EXPECT_THROW(RunFolder{folder_}, InputError);
  std::ofstream(folder_ / "run.json") << R"({"schema":"lanecheck-run-99"})";
  EXPECT_THROW(RunFolder{folder_}, InputError);
  std::ofstream(folder_ / "run.json") << R"({"schema":"lanecheck-run-1","sett)";
  EXPECT_THROW(RunFolder{folder_}, InputError);
}

TEST_F(RunFolderTest, AMutatedRunIsReadOrRefusedByName) {
  const fs::path run = folder_ / kMutatedFile;
  { const RunFolder folder(run, {R"({"cases":9,"readings":["a=b"],"seconds":1.5})", {2, 3}}); }
  const std::string good = read_input_file(run / "run.json");
  const auto read = [&](const std::string& text) {
    std::ofstream(run / "run.json", std::ios::binary) << text;
    read_run(run);
  };
  expect_reads_or_refuses(good, 200, read);
  for (const char* place : {"/settings", "/part"}) expect_refuses_depth(good, place, read);
}

TEST_F(RunFolderTest, AProcessThatWorksAtTheRunKeepsOthersOut) {
  const RunFolder folder(folder_, {"{}", {}});
  const pid_t other = ::fork();
  if (other == 0) {
    const bool seen = worker_of(folder_) == ::getppid();
    try {
      const RunFolder second{folder_};
      ::_exit(1);
    } catch (const InputError&) {
      ::_exit(seen ? 0 : 2);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace lanecheck
