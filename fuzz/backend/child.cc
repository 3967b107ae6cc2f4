#include "fuzz/backend/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fuzz/backend/allowance.h"
#include "fuzz/backend/descriptor.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr std::size_t kChunk = 256 * 1024;
constexpr std::size_t kMostOutput = 2048;  // of standard error, at its beginning and at its end
constexpr double kStopGrace =
    0.3;                          // seconds that a wait for an answer goes on after the user stopped the run
constexpr double kStopEnd = 0.2;  // the most seconds of each kind of grace after that
constexpr double kGrace = 1.0;    // seconds to end by itself, and after SIGTERM

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
  return {ends[0], ends[1]};
}

/// Makes the pipes the descriptors 0, 1 and 2, and closes all others.
void take_pipes(const Pipe& in, const Pipe& out, const Pipe& err) {
  dup2(in.read, 0);
  dup2(out.write, 1);
  dup2(err.write, 2);
  close_range(3, ~0u, 0);
}

/// For the lifetime of this object, a write to a pipe without a reader fails with EPIPE and raises no
/// SIGPIPE.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~NoSigpipe() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&sigpipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t sigpipe_{}, before_{};
  bool was_pending_ = false;
};

std::string seconds_text(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", seconds);
  return text.data();
}

cpu_set_t only_core(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  return only;
}

}  // namespace

Child::Child(const std::function<int()>& body, std::function<bool()> stop) : stop_(std::move(stop)) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  in_ = in.write;
  out_ = out.read;
  err_ = err.read;
  const auto close_its_ends = [&] {
    for (int* each : {&in.read, &out.write, &err.write}) close_if_open(*each);
  };
  try {
    guardian_ = std::make_unique<Guardian>([&] {
      take_pipes(in, out, err);
      return body();
    });
  } catch (const std::runtime_error&) {
    close_its_ends();
    for (int* each : {&in_, &out_, &err_}) close_if_open(*each);
    throw;
  }
  close_its_ends();
  for (const int each : {in_, out_, err_}) fcntl(each, F_SETFL, fcntl(each, F_GETFL) | O_NONBLOCK);
}

Child::~Child() {
  if (in_ >= 0 || out_ >= 0) end(Ending::forced);
}

std::optional<Breakdown> Child::send(std::string_view bytes, double allowance) {
  forget_read();
  to_send_ = bytes;
  return pump([this] { return to_send_.empty(); }, kChunk + bytes.size(), allowance);
}

std::optional<Breakdown> Child::read_line(std::string_view& line, std::size_t most, double allowance) {
  forget_read();
  std::size_t end = std::string::npos, searched = 0;
  const auto found = [&] {  // once it has found the end, it stays found
    if (end != std::string::npos) return true;
    end = received_.find('\n', searched);
    searched = received_.size();
    return end != std::string::npos;
  };
  if (auto breakdown = pump(found, most, allowance)) {
    if (closed_ && !received_.empty()) breakdown->what += " (after half a message)";
    return breakdown;
  }
  if (end > most) return sent_too_much(most);  // the last bytes of it came with its end
  line = std::string_view(received_).substr(0, end);
  read_ = end + 1;
  return {};
}

std::optional<Breakdown> Child::read_bytes(std::string_view& bytes, std::size_t count, double allowance) {
  forget_read();
  if (auto breakdown = pump([&] { return received_.size() >= count; }, count + kChunk, allowance)) {
    breakdown->what += " (after " + std::to_string(received_.size()) + " of " + std::to_string(count) +
                       " bytes behind the line)";
    return breakdown;
  }
  bytes = std::string_view(received_).substr(0, count);
  read_ = count;
  return {};
}

void Child::forget_read() {
  received_.erase(0, read_);
  read_ = 0;
}

void Child::share_core() {
  const int core = sched_getcpu();
  if (core < 0 || core == core_) return;
  core_ = core;
  const cpu_set_t only = only_core(core);
  sched_setaffinity(guardian_->child(), sizeof only, &only);
}

PinToCore::PinToCore() {
  const int core = sched_getcpu();
  if (core < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  const cpu_set_t only = only_core(core);
  pinned_ = sched_setaffinity(0, sizeof only, &only) == 0;
}

PinToCore::~PinToCore() {
  if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
}

bool Child::has_unread() {
  if (!closed_) closed_ = !receive(received_.size() + 1);
  return read_ < received_.size();
}

/// Waits up to `seconds`, then moves bytes in all three directions. At most `most` bytes are received.
std::optional<Breakdown> Child::move_bytes(std::size_t most, double seconds, bool& moved) {
  std::array<pollfd, 3> waits = {
      {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {to_send_.empty() ? -1 : in_, POLLOUT, 0}}};
  const int ready = poll(waits.data(), waits.size(), static_cast<int>(std::ceil(seconds * 1000)));
  if (ready < 0 && errno != EINTR) return Breakdown{std::string("poll: ") + std::strerror(errno)};
  if (ready <= 0) return {};
  if (waits[1].revents != 0) drain_errors();
  if (waits[0].revents != 0) closed_ = !receive(most);
  moved = waits[0].revents != 0 || waits[2].revents != 0;
  if (waits[2].revents != 0 && !closed_) return write_some();
  return {};
}

Breakdown Child::missed(double allowance) const {
  int unread = 0;
  ioctl(in_, FIONREAD, &unread);
  return {"missed its deadline of " + seconds_text(allowance) +
              (unread > 0 ? ": it does not read its input" : ""),
          true};
}

/// A process that ends closes its pipes first: on a busy machine its status comes a good while later.
Breakdown Child::closed(const std::string& stream) {
  return {exits_within(kGrace) ? fate() + " before it answered"
                               : "closed its " + stream + " and goes on running"};
}

Breakdown Child::sent_too_much(std::size_t most) {
  return {"sent more than " + std::to_string(most) + " bytes where an answer was expected"};
}

/// Moves bytes until `done`.
std::optional<Breakdown> Child::pump(const std::function<bool()>& done, std::size_t most, double allowance) {
  Allowance left(allowance, guardian_->child());
  std::optional<Clock::time_point> stops;
  while (!done()) {
    if (closed_) return closed("output");
    if (received_.size() > most) return sent_too_much(most);
    bool moved = false;
    if (auto breakdown = move_bytes(most, left.next_wait(), moved)) return breakdown;
    left.look();
    if (done()) break;
    if (!stops && stopping())  // by the clock, so that a busy machine does not prolong it
      stops = Clock::now() + std::chrono::milliseconds(std::lround(1000 * kStopGrace));
    if (stops && (left.used_up() || Clock::now() >= *stops)) return Breakdown{"was interrupted", false, true};
    if (!left.used_up()) continue;
    if (moved && !left.long_used_up()) continue;  // its answer is arriving
    if (!left.child_starves()) return missed(allowance);
  }
  return {};
}

/// Writes as much as the child's standard input takes.
std::optional<Breakdown> Child::write_some() {
  const NoSigpipe guard;
  const ssize_t sent = write(in_, to_send_.data(), to_send_.size());
  if (sent > 0) to_send_.remove_prefix(static_cast<std::size_t>(sent));
  if (sent < 0 && errno == EPIPE) return closed("input");
  return {};
}

/// Receives what has arrived. False at the end of the child's standard output.
bool Child::receive(std::size_t most) {
  while (received_.size() <= most) {
    const std::size_t from = received_.size();
    received_.resize(from + kChunk);
    const ssize_t count = read(out_, received_.data() + from, kChunk);
    received_.resize(from + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (static_cast<std::size_t>(count) < kChunk) return true;
  }
  return true;
}

void Child::drain_errors() {
  std::array<char, 16384> chunk{};
  for (int rounds = 0; rounds < 64 && err_ >= 0; ++rounds) {
    const ssize_t count = read(err_, chunk.data(), chunk.size());
    if (count < 0) return;
    if (count == 0) return close_if_open(err_);
    std::string_view text(chunk.data(), static_cast<std::size_t>(count));
    if (output_.size() < kMostOutput) {
      const std::size_t fits = std::min(text.size(), kMostOutput - output_.size());
      output_.append(text.substr(0, fits));
      text.remove_prefix(fits);
    }
    output_end_.append(text);
    if (output_end_.size() > 2 * kMostOutput)
      output_end_.replace(0, output_end_.size() - kMostOutput, "\n[...]\n");
  }
}

bool Child::exits_within(double seconds) {
  const auto start = Clock::now();
  for (auto nap = std::chrono::microseconds(50);; nap = std::min(nap * 2, std::chrono::microseconds(5000))) {
    drain_errors();
    if (guardian_->status()) return true;
    const double most = stopping() ? std::min(seconds, kStopEnd) : seconds;
    if (Clock::now() - start >= std::chrono::duration<double>(most)) return false;
    if (out_ >= 0) {  // a child that still writes must not block
      std::array<char, 4096> nowhere{};
      while (read(out_, nowhere.data(), nowhere.size()) > 0) {
      }
    }
    std::this_thread::sleep_for(nap);
  }
}

std::string Child::fate() {
  const int status = guardian_->status().value_or(0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = sigabbrev_np(signal);
    return "killed by signal " + std::to_string(signal) + " (SIG" + (name != nullptr ? name : "?") + ")";
  }
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

std::string Child::end(Ending ending) {
  const bool patiently = ending == Ending::orderly;
  std::string how;
  close_if_open(in_);
  if (exits_within(patiently ? kGrace : 0)) {
    how = fate();
  } else {
    killpg(guardian_->child(), SIGTERM);
    how = exits_within(patiently ? kGrace : kGrace / 4) ? "had to be told to end: " + fate()
                                                        : "had to be killed";
  }
  guardian_->end_all();
  drain_errors();
  output_ += output_end_;
  output_end_.clear();
  close_if_open(out_);
  close_if_open(err_);
  return how;
}

std::function<int()> command_body(const std::string& command) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (const char c : command) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  if (quote != 0) throw InputError("cmd:" + command, "a quote is not closed");
  if (words.empty())
    throw InputError("cmd:", "give the command to start, e.g. --backend 'cmd: python3 my_sim.py'");
  return [words]() mutable {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    const std::string what = "cannot run '" + words[0] + "': " + std::strerror(errno) + "\n";
    [[maybe_unused]] const auto written = write(2, what.data(), what.size());
    return 127;
  };
}

}  // namespace lanecheck
