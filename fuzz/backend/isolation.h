// Keeps a backend running in a process of its own. A crash, hang or malformed answer ends the backend process
// and is recorded for the program that caused it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/child.h"
#include "fuzz/backend/message.h"

namespace lanecheck {

struct AttachOptions {
  double start_up = 30;     ///< seconds until the answer to hello
  double deadline = 2;      ///< seconds for one program
  unsigned restarts = 20;   ///< how often programs of the run may end the backend's process
  bool in_process = false;  ///< a plug-in is loaded into lanecheck, without a worker process
  /// Asked while a backend is waited for. If it says true, the wait ends within a second, the backend process
  /// is ended, and no other is started: programs that have no answer yet are NotRun. The loop that runs the
  /// programs must end by itself (RunHooks::stop).
  std::function<bool()> stop;
};

/// Why a run ends after its programs have ended the backend's process `deaths` times.
std::string died_too_often(unsigned deaths);

/// A backend could not be started, or can run no more programs.
class BackendFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One process of a backend.
class Worker {
 public:
  virtual ~Worker() = default;
  /// Runs a batch, which may take `allowance` seconds. If the process breaks down, returns why; the outcomes
  /// then mean nothing.
  virtual std::optional<Breakdown> run(const Batch& batch, double allowance) = 0;
  /// Ends the process and returns what it did.
  virtual BackendProcess end(Ending ending) = 0;
};

class Isolation {
 public:
  using Start = std::function<std::unique_ptr<Worker>()>;  ///< throws BackendFailure

  Isolation(std::unique_ptr<Worker> first, Start start, const AttachOptions& options)
      : start_(std::move(start)),
        most_restarts_(options.restarts),
        worker_(std::move(first)),
        deadline_(options.deadline),
        stop_(options.stop) {}
  ~Isolation();

  /// Runs programs of the run. Each that breaks the backend is Errored and counts towards the limit of
  /// restarts.
  void run(const Batch& batch);
  /// Runs a program for the explanation of a finding, which does not count towards the limit.
  Outcome run_one(const Program& program, State& state);
  /// Ends the present process. The next program starts another. A process that answered only questions
  /// (run_one) and did not fail is forgotten: hundreds of them would fill the report.
  void restart();
  /// Ends the present process and returns all processes so far.
  std::vector<BackendProcess> processes();
  const std::string& given_up() const { return given_up_; }
  unsigned most_restarts() const { return most_restarts_; }

 private:
  std::optional<Breakdown> attempt(const Batch& batch, double allowance);
  void handle_breakdown(const Batch& batch, const Breakdown& breakdown);
  bool run_one_by_one(const Batch& batch);
  void record_death(Outcome& outcome, const Breakdown& breakdown);
  void forgive_slowness(std::size_t process, std::size_t programs);
  void choose_chunk(std::size_t programs);
  bool alive();
  bool stopping() const { return stop_ && stop_(); }
  bool ended() const { return !given_up_.empty() || stopping(); }

  Start start_;
  unsigned most_restarts_;
  std::unique_ptr<Worker> worker_;
  std::vector<BackendProcess> ended_;
  std::size_t chunk_ = 1;  ///< how many programs are sent together
  double deadline_;
  std::function<bool()> stop_;
  bool ran_cases_ = false;   ///< the present process ran programs of the run
  double took_ = 0;          ///< seconds that the last batch took
  unsigned in_a_row_ = 0;    ///< processes that ended since the last program that was answered
  unsigned deaths_ = 0;      ///< processes that programs of the run ended
  std::string unstartable_;  ///< why no further process can be started
  std::string given_up_;     ///< why the run ends
};

/// Ends a process that has answered `answered` programs, and returns what it did. If its end is forced, it
/// has failed.
BackendProcess end_process(Child& child, Ending ending, std::uint64_t answered);

/// Throws BackendFailure if a later process of a backend answers hello in another way than the first one.
void require_same(const Hello& first, const Hello& next);

/// The backend that said `hello` and is kept going by `isolation`.
Backend attach(const Hello& hello, std::shared_ptr<Isolation> isolation);

}  // namespace lanecheck
