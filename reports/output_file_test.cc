// Output files: whole or not at all, and nothing that is not ours is replaced, followed or deleted.
#include "reports/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "spec/program/input_error.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  fs::path at(const char* name) const { return folder_ / name; }
  static std::string read(const fs::path& place) {
    std::ifstream in(place);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const fs::path& place, const char* text) { std::ofstream(place) << text; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

 private:
  TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(OutputFiles, AFileIsWrittenWholeAndLeavesNoDraft) {
  OutputFile(at("report.json")).write("new");
  EXPECT_EQ(read(at("report.json")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, AFileThatWasNeverWrittenLeavesTheOldOneAndNoDraft) {
  put(at("report.json"), "old");
  { const OutputFile file(at("report.json")); }
  EXPECT_EQ(read(at("report.json")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFiles, DraftsCanBeRemovedBeforeASuddenEnd) {
  OutputFile(at("written")).write("new");
  const OutputFile first(at("first")), second(at("second"));
  ASSERT_EQ(files(), 3u);
  remove_drafts();
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read(at("written")), "new");
}

TEST_F(OutputFiles, TheModeOfAnOldFileStays) {
  put(at("report.json"), "old");
  fs::permissions(at("report.json"), fs::perms::owner_read | fs::perms::owner_write);
  OutputFile(at("report.json")).write("new");
  EXPECT_EQ(fs::status(at("report.json")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFiles, ASymbolicLinkIsFollowedAndStays) {
  put(at("target.json"), "old");
  fs::create_symlink(at("target.json"), at("link.json"));
  OutputFile(at("link.json")).write("new");
  EXPECT_TRUE(fs::is_symlink(at("link.json")));
  EXPECT_EQ(read(at("target.json")), "new");
}

TEST_F(OutputFiles, ALinkToAFileThatIsNotThereMakesTheFile) {
  fs::create_symlink(at("target.json"), at("link.json"));
  OutputFile(at("link.json")).write("new");
  EXPECT_TRUE(fs::is_symlink(at("link.json")));
  EXPECT_EQ(read(at("target.json")), "new");
}

TEST_F(OutputFiles, ADeviceIsWrittenToAndNotReplaced) {
  OutputFile("/dev/null").write("gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFiles, ADescriptorOfThisProcessIsWrittenOnWhereItStands) {
  const int file = ::open(at("shown").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"})
    OutputFile(folder + std::to_string(file)).write("report ");
  ASSERT_EQ(::write(file, "behind", 6), 6);
  ::close(file);
  EXPECT_EQ(read(at("shown")), "before report report behind");
  EXPECT_THROW(OutputFile{"/dev/fd/" + std::to_string(file)}, InputError) << "it is closed";
  const int only_read = ::open(at("shown").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_THROW(OutputFile{"/dev/fd/" + std::to_string(only_read)}, InputError);
  ::close(only_read);
}

TEST_F(OutputFiles, APipeThatNobodyReadsIsRefusedAndDoesNotHang) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THROW(OutputFile{at("pipe")}, InputError);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(OutputFiles, NoFileOfAnotherUserOfTheFolderIsTouched) {
  put(at("report.json.part"), "mine");
  fs::create_symlink(at("victim"), at(".report.json.part"));
  OutputFile(at("report.json")).write("new");
  EXPECT_EQ(read(at("report.json.part")), "mine");
  EXPECT_FALSE(fs::exists(at("victim")));
}

TEST_F(OutputFiles, AFolderAMissingFolderAndALoopOfLinksAreRefused) {
  EXPECT_THROW(OutputFile{at(".")}, InputError);
  EXPECT_THROW(OutputFile{at("absent/report.json")}, InputError);
  fs::create_symlink(at("b"), at("a"));
  fs::create_symlink(at("a"), at("b"));
  EXPECT_THROW(OutputFile{at("a")}, InputError) << "a loop";
}

TEST_F(OutputFiles, ANameThatIsTooLongAndAClosedFolderAreRefused) {
  EXPECT_THROW(OutputFile{at(std::string(300, 'a').c_str())}, InputError);
  fs::create_directory(at("closed"));
  fs::permissions(at("closed"), fs::perms::none);
  const uid_t self = ::geteuid();
  constexpr uid_t kNobody = 65534;  // root may enter every folder
  ASSERT_EQ(self == 0 ? ::seteuid(kNobody) : 0, 0);
  EXPECT_THROW(OutputFile{at("closed/report.json")}, InputError);
  ASSERT_EQ(::seteuid(self), 0);
}

TEST_F(OutputFiles, ANewFileNeverOverwritesAnotherOne) {
  put(at("finding.json"), "a note of the user");
  EXPECT_EQ(write_new_file(at("."), "finding", "case"), at("./finding-2.json"));
  EXPECT_EQ(write_new_file(at("."), "finding", "case"), at("./finding-2.json")) << "the same bytes are there";
  EXPECT_EQ(read(at("finding.json")), "a note of the user");
}

TEST(OutputFile, AFileInSharedMemoryIsAFileAndNoDevice) {
  const std::filesystem::path place = "/dev/shm/lanecheck-test-" + std::to_string(::getpid());
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "there is no /dev/shm";
  OutputFile(place).write("text");
  EXPECT_EQ(std::filesystem::file_size(place), 4u);
  std::filesystem::remove(place);
}

}  // namespace
}  // namespace lanecheck
