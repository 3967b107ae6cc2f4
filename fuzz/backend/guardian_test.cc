// The guardian is forked from a process that may have threads. Another thread may hold the lock of an
// allocator at that moment, and nobody in the guardian will ever release it. So the guardian must not
// allocate.
#include "fuzz/backend/guardian.h"

#include <gtest/gtest.h>
#include <pthread.h>
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

}  // namespace
}  // namespace lanecheck
