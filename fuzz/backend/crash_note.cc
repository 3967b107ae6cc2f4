#include "fuzz/backend/crash_note.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace lanecheck {
namespace {

std::array<char, 256> note{};            // written down before the cases are run: a handler may not do more
std::array<std::byte, 65536> own_stack;  // also for a stack that overflowed

void tell(int signal) {
  [[maybe_unused]] const auto written = write(2, note.data(), strnlen(note.data(), note.size()));
  raise(signal);  // the handler is gone: this ends the process, or wakes the debugger
}

}  // namespace

std::function<void(std::uint64_t first, std::uint64_t count)> note_cases(std::uint64_t seed) {
  const stack_t stack{own_stack.data(), 0, own_stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = tell;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  return [seed](std::uint64_t first, std::uint64_t count) {
    std::snprintf(
        note.data(), note.size(),
        "\nlanecheck: the backend crashed in one of these cases: --seed %llu --first %llu --cases %llu\n"
        "  (without --in-process lanecheck finds out which, and goes on)\n",
        static_cast<unsigned long long>(seed), static_cast<unsigned long long>(first),
        static_cast<unsigned long long>(count));
  };
}

}  // namespace lanecheck
