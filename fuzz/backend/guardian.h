// A guardian is a small process between lanecheck and one child. All that the child starts belongs to the
// guardian, even daemons with sessions of their own, because orphans below the guardian become its children.
// When lanecheck lets go of the guardian, or dies in whatever way, the guardian kills all of it and ends.
// So lanecheck never has to guess which processes of the system are its own, and the host process needs no
// setting of its own (no subreaper, no signal handler).
//
// A backend may stop its guardian (SIGSTOP): lanecheck makes it go on, and so does the end of lanecheck.
//
// What it does not cover: a backend that kills its guardian with SIGKILL. The child then dies with it
// (PR_SET_PDEATHSIG), but not what the child has started. A namespace of process ids would cover that, and is
// not used: in one, the child of each job has the same process id, so jobs whose simulator names its files by
// its process id would share them; and as process 1 a child does not die of abort().
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

namespace lanecheck {

class Guardian {
 public:
  /// Starts the guardian, which starts the child; `body` runs in the child and gives its exit status. Throws
  /// std::runtime_error if no process can be started.
  explicit Guardian(const std::function<int()>& body);
  ~Guardian() { end_all(); }
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  pid_t child() const { return child_; }
  /// The status of the child from waitpid; nothing while the child runs.
  std::optional<int> status();
  /// Kills whatever is left of the child and of all that it started, and waits until it is gone.
  void end_all();

 private:
  void let_go();

  pid_t pid_ = -1;
  pid_t child_ = -1;
  int leash_ = -1;   ///< the guardian ends when this end of a pipe is closed
  int report_ = -1;  ///< the guardian writes the child's process id into this pipe, then its status
  std::optional<int> status_;
};

}  // namespace lanecheck
