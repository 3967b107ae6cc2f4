#include "fuzz/backend/guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/backend/descriptor.h"

namespace lanecheck {
namespace {

/// Waits for a process; interrupts do not end the wait.
void wait_for(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

constexpr int kBetweenLooks = 20;  // milliseconds

/// Waits until a guardian that was told to end has ended. A backend may stop its guardian at any moment, so
/// the guardian is told to go on again and again, and is killed if even that does not help.
void wait_for_guardian(pid_t pid) {
  constexpr int kMostLooks = 500;
  for (int looks = 0; waitpid(pid, nullptr, WNOHANG) == 0; ++looks) {
    kill(pid, looks < kMostLooks ? SIGCONT : SIGKILL);
    pollfd none{-1, 0, 0};
    poll(&none, 1, std::min(looks, kBetweenLooks));
  }
}

/// Waits until a guardian has written into this pipe, or has ended.
void wait_for_report(int report, pid_t guardian) {
  pollfd wait{report, POLLIN, 0};
  while (poll(&wait, 1, kBetweenLooks) <= 0) kill(guardian, SIGCONT);
}

// What follows runs in the guardian. It is forked from a process with threads, so it must not allocate:
// another thread may have held the lock of the allocator (guardian_test).

constexpr int kLeash = 0, kReport = 1;
/// What lanecheck may handle or ignore: the guardian ignores it, and the child gets the default.
constexpr int kStopSignals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT,
                                SIGXFSZ, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM};

/// The first children that the system lists, as text: process ids with a space behind each.
std::string_view list_children(std::span<char> text) {
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? 0 : read(file, text.data(), text.size());
  close_if_open(file);
  return {text.data(), count < 0 ? 0 : static_cast<std::size_t>(count)};
}

/// Kills all children, then those that they leave behind as orphans, until no child is left.
void kill_all_children() {
  std::array<char, 4096> text;
  for (;;) {
    const std::string_view list = list_children(text);
    const std::size_t end = list.rfind(' ') + 1;  // a number that the text cuts off comes again
    if (end == 0 || list.empty()) return;
    for (const char* at = list.data(); at < list.data() + end; ++at) {
      pid_t child = 0;
      at = std::from_chars(at, list.data() + end, child).ptr;
      if (child <= 0) return;
      kill(child, SIGKILL);
      wait_for(child);
    }
  }
}

/// Takes the status of each process that has ended. Sends the status of the child to lanecheck.
void reap(pid_t child) {
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
    if (ended == child && write(kReport, &status, sizeof status) < 0) return;
}

/// Waits until lanecheck closes its end of the leash or dies.
[[noreturn]] void guard(pid_t child, const sigset_t& chld) {
  const int ended = signalfd(-1, &chld, SFD_NONBLOCK | SFD_CLOEXEC);
  pollfd waits[] = {{kLeash, POLLIN, 0}, {ended, POLLIN, 0}};
  for (;;) {
    reap(child);
    const int ready = poll(waits, 2, ended < 0 ? 50 : -1);
    if (ready < 0 && errno != EINTR) break;
    if (waits[0].revents != 0) break;
    signalfd_siginfo info;
    while (ended >= 0 && read(ended, &info, sizeof info) > 0) {
    }
  }
  kill_all_children();
  _exit(0);
}

[[noreturn]] void become_guardian(int leash, int report, const std::function<int()>& body) {
  setsid();  // a Ctrl-C on the terminal is for lanecheck alone
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGCONT);  // if the backend has stopped it, it goes on when lanecheck dies
  for (const int each : {SIGCHLD, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(each, SIG_DFL);
  for (const int each : kStopSignals) std::signal(each, SIG_IGN);
  sigset_t chld, before;
  sigemptyset(&chld);
  sigaddset(&chld, SIGCHLD);
  sigprocmask(SIG_BLOCK, &chld, &before);
  const pid_t guardian = getpid();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardian) _exit(1);
    setpgid(0, 0);
    for (const int each : kStopSignals) std::signal(each, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    // What leaves the body in another way (an exception, pthread_exit) ends here: its way up the stack would
    // run the destructors of lanecheck's objects, which delete drafts, in this process.
    [&]() noexcept { _exit(body()); }();
  }
  if (child > 0) setpgid(child, child);
  // Both ends move above 1 first, so that neither is overwritten by the other.
  const int high_leash = fcntl(leash, F_DUPFD, 10), high_report = fcntl(report, F_DUPFD, 10);
  dup2(high_leash, kLeash);
  dup2(high_report, kReport);
  close_range(2, ~0u, 0);
  if (write(kReport, &child, sizeof child) < 0 || child < 0) _exit(1);
  guard(child, chld);
}

}  // namespace

Guardian::Guardian(const std::function<int()>& body) {
  int leash[2] = {-1, -1}, report[2] = {-1, -1};
  const bool piped = pipe2(leash, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0;
  if (piped) pid_ = fork();
  if (pid_ == 0) {
    close(leash[1]);
    become_guardian(leash[0], report[1], body);
  }
  const std::string why = std::strerror(errno);
  close_if_open(leash[0]);
  close_if_open(report[1]);
  leash_ = leash[1];
  report_ = report[0];
  ssize_t count = 0;
  if (pid_ > 0) wait_for_report(report_, pid_);
  if (pid_ > 0) do
      count = read(report_, &child_, sizeof child_);
    while (count < 0 && errno == EINTR);
  if (count == sizeof child_ && child_ > 0) {
    fcntl(report_, F_SETFL, O_NONBLOCK);
    return;
  }
  let_go();
  throw std::runtime_error("no process can be started: " + why);
}

std::optional<int> Guardian::status() {
  if (status_ || report_ < 0) return status_;
  int status = 0;
  const ssize_t count = read(report_, &status, sizeof status);
  if (count == sizeof status) status_ = status;
  if (count == 0) status_ = SIGKILL;  // the guardian was killed, and the child dies with it
  return status_;
}

void Guardian::end_all() {
  status();
  let_go();
}

void Guardian::let_go() {
  close_if_open(leash_);
  if (pid_ > 0) wait_for_guardian(pid_);
  pid_ = -1;
  close_if_open(report_);
}

}  // namespace lanecheck
