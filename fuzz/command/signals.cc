#include "fuzz/command/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "fuzz/command/standard_output.h"
#include "reports/exit_code.h"
#include "reports/output_file.h"

namespace lanecheck {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::atomic<std::int64_t> first_signal{0};  // in nanoseconds of the monotonic clock; 0: none yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void on_signal(int) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = std::int64_t{now.tv_sec} * kSecond + now.tv_nsec;
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, at)) return;
  if (at - first <= kSecond) return;
  remove_drafts();
  ::_exit(kFailure);
}

}  // namespace

void handle_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  // Batch systems send SIGXCPU (a limit of processor time), SIGUSR1 or SIGUSR2 before they kill.
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM}) {
    struct sigaction old {};
    ::sigaction(each, nullptr, &old);
    // A shell ignores SIGINT and SIGQUIT for what it starts in the background, which is no wish of the user.
    const bool always = each == SIGINT || each == SIGTERM || each == SIGQUIT;
    if (!always && old.sa_handler == SIG_IGN) continue;  // nohup
    ::sigaction(each, &action, nullptr);
  }
}

bool stop_requested() {
  return first_signal.load(std::memory_order_relaxed) != 0 || nobody_reads_output();
}

void stop_if_requested() {
  if (stop_requested()) throw Stopped();
}

Backend stoppable(Backend backend) {
  backend.run = [run = std::move(backend.run)](const Program& program, State& state) {
    stop_if_requested();
    Outcome outcome = run(program, state);
    stop_if_requested();  // the outcome may be that of a backend that the signal ended
    return outcome;
  };
  if (backend.run_batch)
    backend.run_batch = [run_batch = std::move(backend.run_batch)](const Batch& batch) {
      stop_if_requested();
      run_batch(batch);
      stop_if_requested();
    };
  return backend;
}

}  // namespace lanecheck
