// Files that are not what they should be: each read ends, in little memory, with a message that names the
// file.
#include "spec/text/input_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "spec/program/input_error.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;

class InputFiles : public testing::Test {
 protected:
  /// What is said about a file that is not read.
  static std::string refusal(const fs::path& file) {
    try {
      return "read: " + std::to_string(read_input_file(file).size());
    } catch (const InputError& error) {
      return error.what();
    }
  }

  TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(InputFiles, AreReadWhole) {
  for (const std::size_t bytes : {0u, 1u, (1u << 20) - 1, 1u << 20, (3u << 20) + 17}) {
    std::string text(bytes, 'x');
    for (std::size_t n = 0; n < bytes; ++n) text[n] = static_cast<char>(n * n);
    std::ofstream(folder_ / "file", std::ios::binary) << text;
    EXPECT_EQ(read_input_file(folder_ / "file"), text) << bytes;
  }
}

TEST_F(InputFiles, HaveALimit) {
  EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: is larger than 64 MiB, the limit");
  const fs::path sparse = folder_ / "sparse";
  std::ofstream(sparse).close();
  fs::resize_file(sparse, kMostInputBytes);
  EXPECT_EQ(refusal(sparse), "read: " + std::to_string(kMostInputBytes));
  fs::resize_file(sparse, kMostInputBytes + 1);
  EXPECT_EQ(refusal(sparse), sparse.string() + ": is larger than 64 MiB, the limit");
  fs::resize_file(sparse, std::uintmax_t{10} << 30);
  EXPECT_EQ(refusal(sparse), sparse.string() + ": is larger than 64 MiB, the limit");
}

TEST_F(InputFiles, AreNoFoldersAndNoLoops) {
  EXPECT_EQ(refusal(folder_), folder_.string() + ": is a folder; name a file");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_EQ(refusal(folder_ / "loop"),
            (folder_ / "loop").string() + ": cannot be read: Too many levels of symbolic links");
  EXPECT_EQ(refusal(folder_ / "none"),
            (folder_ / "none").string() + ": cannot be read: No such file or directory");
}

TEST_F(InputFiles, PipesWithoutAWriterAreNotWaitedFor) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), pipe.string() + ": is a pipe that nobody writes to");
}

TEST_F(InputFiles, PipesAreReadToTheEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([end = ends[1]] {
    const std::string part(100'000, 'y');
    for (unsigned n = 0; n < 3; ++n) EXPECT_EQ(::write(end, part.data(), part.size()), 100'000);
    ::close(end);
  });
  EXPECT_EQ(read_input_file("/dev/fd/" + std::to_string(ends[0])), std::string(300'000, 'y'));
  writer.join();
  ::close(ends[0]);
}

TEST_F(InputFiles, WaitForAPipeUntilASignal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;  // as handle_stop_signals() does
  struct sigaction old {};
  ::sigaction(SIGUSR1, &action, &old);
  std::atomic<bool> over = false;
  std::thread sender(
      [&over, reader = pthread_self()] {  // again and again: the first may come before the wait
        while (!over) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          ::pthread_kill(reader, SIGUSR1);
        }
      });
  EXPECT_THROW(read_input_file("/dev/fd/" + std::to_string(ends[0])), std::runtime_error);
  over = true;
  sender.join();
  ::sigaction(SIGUSR1, &old, nullptr);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace lanecheck
