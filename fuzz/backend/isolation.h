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
  unsigned restarts = 20;   ///< how often programs of the run may end the backend process
  bool in_process = false;  ///< plug-ins: no worker process
};

/// A backend that could not be started, or that nothing can be had from any more.
class BackendFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One process of a backend.
class Worker {
 public:
  virtual ~Worker() = default;
  /// Runs a batch; says why when it broke down. Outcomes of a batch that broke down mean nothing.
  virtual std::optional<Breakdown> run(const Batch& batch) = 0;
  /// Ends it and tells how it went.
  virtual BackendProcess end(bool failed) = 0;
};

class Isolation {
 public:
  using Start = std::function<std::unique_ptr<Worker>()>;  ///< throws BackendFailure

  Isolation(std::unique_ptr<Worker> first, Start start, const AttachOptions& options)
      : start_(std::move(start)),
        most_restarts_(options.restarts),
        worker_(std::move(first)),
        deadline_(options.deadline) {}
  ~Isolation();

  /// Programs of the run: each that breaks the backend is Errored and counts towards the limit of restarts.
  void run(const Batch& batch);
  /// A program of the explanation: the same, without the limit.
  Outcome run_one(const Program& program, State& state);
  /// All processes so far. Ends the present one.
  std::vector<BackendProcess> processes();
  const std::string& given_up() const { return given_up_; }

 private:
  std::optional<Breakdown> attempt(const Batch& batch);
  void one_by_one(const Batch& batch, const Breakdown& breakdown);
  bool alive();

  Start start_;
  unsigned most_restarts_;
  std::unique_ptr<Worker> worker_;
  std::vector<BackendProcess> lives_;
  std::size_t chunk_ = 1;  ///< programs that go together; grows while the backend is far from its deadline
  double deadline_;
  double took_ = 0;          ///< seconds, by the last batch that was tried
  unsigned in_a_row_ = 0;    ///< deaths since the last program that was answered
  unsigned deaths_ = 0;      ///< that programs of the run caused
  std::string unstartable_;  ///< why no further life can begin
  std::string given_up_;     ///< why the run ends
};

/// The backend that said `hello` and is kept going by `isolation`.
Backend attach(const Hello& hello, std::shared_ptr<Isolation> isolation);

}  // namespace lanecheck
