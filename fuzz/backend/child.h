// A child process that answers on its standard output what it is asked on its standard input. Nothing that it
// does (flood, hang, half a message, closed pipes, children of its own) blocks or breaks the caller: every
// wait has a deadline, and the end of a Child is the end of all processes that it started (guardian.h), and
// of no others. A Child changes nothing process-wide in its host: no signal handler, no subreaper.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/backend/guardian.h"

namespace lanecheck {

/// Why a child answers no more.
struct Breakdown {
  std::string what;      ///< "killed by signal 11 (SIGSEGV)", "missed its deadline of 2 s", ...
  bool late = false;     ///< it missed a deadline
  bool stopped = false;  ///< the user stopped the run while the child was waited for
};

/// How a child is ended.
enum class Ending : std::uint8_t {
  orderly,  ///< its input is closed, and it has time to end by itself
  forced,   ///< it has failed, so it gets no time
};

class Child {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forks a child that runs `body` with pipes as its descriptors 0, 1 and 2 and no others open; `body`
  /// returns the exit status. Every wait asks `stop` now and then, and ends within a second if `stop` returns
  /// true. Throws std::runtime_error if no process can be started.
  explicit Child(const std::function<int()>& body, std::function<bool()> stop = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// These three functions return nothing, or why they failed. `allowance` is the time in seconds that the
  /// child may take. Not counted are pauses of this process (SIGSTOP, a suspended machine), and, up to a
  /// limit, the time for which the child waits for a processor.
  std::optional<Breakdown> send(std::string_view bytes, double allowance);
  /// Reads one line without its '\n', at most `most` bytes long. `line` is valid until the next call.
  std::optional<Breakdown> read_line(std::string_view& line, std::size_t most, double allowance);
  /// Reads `count` bytes, which are valid until the next call.
  std::optional<Breakdown> read_bytes(std::string_view& bytes, std::size_t count, double allowance);
  /// Is there output that nobody asked for?
  bool has_unread();

  /// Moves the child to the core of the caller. If both wait for each other in turn, they then share its
  /// cache, and no other core has to wake up.
  void share_core();

  /// Ends the child: closes its input, waits if the end is orderly, then sends SIGTERM, then sends SIGKILL to
  /// all that it started. Returns what it did: "exited with status 0", "killed by signal 9 (SIGKILL)", "had
  /// to be killed".
  std::string end(Ending ending);
  /// The beginning and the end of what the child wrote to standard error.
  const std::string& output() const { return output_; }

 private:
  std::optional<Breakdown> pump(const std::function<bool()>& done, std::size_t most, double allowance);
  static Breakdown sent_too_much(std::size_t most);
  Breakdown closed(const std::string& stream);
  std::optional<Breakdown> move_bytes(std::size_t most, double seconds, bool& moved);
  Breakdown missed(double allowance) const;
  bool stopping() const { return stop_ && stop_(); }
  bool receive(std::size_t most);
  void forget_read();
  void drain_errors();
  std::optional<Breakdown> write_some();
  bool exits_within(double seconds);
  std::string fate();

  std::function<bool()> stop_;
  std::unique_ptr<Guardian> guardian_;
  int core_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;  ///< our ends of the pipes to the child's descriptors 0, 1, 2
  std::string_view to_send_;
  std::string received_;
  std::size_t read_ = 0;  ///< how many bytes of received_ were handed out
  bool closed_ = false;   ///< the child closed its standard output
  std::string output_;
  std::string output_end_;
};

/// Pins the calling thread to its current core for the lifetime of this object. Otherwise every wake-up is a
/// chance for the scheduler to move it away from the child that shares the core. Costs 3 us, which pays only
/// if a batch takes long.
class PinToCore {
 public:
  PinToCore();
  ~PinToCore();
  PinToCore(const PinToCore&) = delete;
  PinToCore& operator=(const PinToCore&) = delete;

 private:
  cpu_set_t before_{};
  bool pinned_ = false;
};

/// A body for Child: runs a command. Blanks, tabs and line breaks separate the words; quotes ('' or "")
/// group, and a backslash is a character as any other. A shell reads a quoted word in the same way. Throws
/// InputError for an empty command or an open quote.
std::function<int()> command_body(const std::string& command);

}  // namespace lanecheck
