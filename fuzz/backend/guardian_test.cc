// The guardian is forked from a process that may have threads. Another thread may hold the lock of an
// allocator at that moment, and nobody in the guardian will ever release it. So the guardian must not
// allocate.
#include "fuzz/backend/guardian.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <new>

namespace {
bool forked = false;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (forked) _exit(7);  // as if the lock were held, but without the wait
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace lanecheck {
namespace {

TEST(Guardian, EndsADaemonWithoutAllocating) {
  pthread_atfork(nullptr, nullptr, [] { forked = true; });
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  Guardian guardian([&] {
    const pid_t started = fork();
    if (started == 0) {
      setsid();
      pause();
    }
    return write(told[1], &started, sizeof started) == sizeof started ? 0 : 1;
  });
  pid_t daemon = 0;
  ASSERT_EQ(read(told[0], &daemon, sizeof daemon), static_cast<ssize_t>(sizeof daemon));
  ASSERT_EQ(kill(daemon, 0), 0);
  guardian.end_all();
  EXPECT_EQ(kill(daemon, 0), -1) << "the daemon is left";
  kill(daemon, SIGKILL);
}

TEST(Guardian, EndsThoughTheChildStoppedIt) {
  Guardian guardian([] {
    kill(getppid(), SIGSTOP);
    return pause();
  });
  usleep(100000);
  alarm(10);  // what this test is about: it hung
  guardian.end_all();
  alarm(0);
  EXPECT_EQ(kill(guardian.child(), 0), -1) << "the child is left";
}

/// A plug-in may end its thread, or throw. What lanecheck has on its stack is lanecheck's: a draft, for
/// example, which its destructor deletes.
TEST(Guardian, AChildThatUnwindsItsStackDestroysNothingOfLanechecks) {
  int told[2];
  ASSERT_EQ(pipe2(told, O_NONBLOCK), 0);
  struct Tells {
    int into;
    ~Tells() { EXPECT_EQ(write(into, "x", 1), 1); }
  };
  {
    const Tells tells{told[1]};
    Guardian ends_its_thread([]() -> int { pthread_exit(nullptr); });
    Guardian throws([]() -> int { throw 1; });
    for (Guardian* each : {&ends_its_thread, &throws}) {
      for (int looks = 0; looks < 200 && !each->status(); ++looks) usleep(10000);
      EXPECT_EQ(each->status().value_or(0) & 0x7f, SIGABRT);
    }
  }
  char bytes[8];
  EXPECT_EQ(read(told[0], bytes, sizeof bytes), 1);
}

/// A guardian that its child has stopped goes on when lanecheck is killed.
TEST(Guardian, EndsTheChildThatStoppedItWhenLanecheckIsKilled) {
  int told[2];
  ASSERT_EQ(pipe(told), 0);
  const pid_t killed = fork();
  if (killed == 0) {
    forked = false;
    Guardian guardian([&] {
      const pid_t self = getpid();
      kill(getppid(), SIGSTOP);
      if (write(told[1], &self, sizeof self) < 0) return 1;
      return pause();
    });
    pause();
  }
  pid_t child = 0;
  ASSERT_EQ(read(told[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  usleep(100000);
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  for (int looks = 0; looks < 200 && kill(child, 0) == 0; ++looks) usleep(10000);
  EXPECT_EQ(kill(child, 0), -1) << "the child is left";
  kill(child, SIGKILL);
}

}  // namespace
}  // namespace lanecheck
