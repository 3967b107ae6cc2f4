// SIGINT, SIGTERM and SIGHUP end a command soon and with a whole report: the command asks stop_requested()
// between its steps. A second signal ends lanecheck at once, and removes the drafts of its files, but only
// if it comes more than a second after the first: GNU timeout sends SIGTERM twice in a row.
#pragma once

#include <exception>
#include <functional>

#include "fuzz/backend/backend.h"

namespace lanecheck {

/// From now on the three signals ask the command to stop.
void handle_stop_signals();

/// Has a signal asked the command to stop, or has nobody read its standard output any longer?
bool stop_requested();

/// Ends code that has no other way to be stopped, after a signal.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped by a signal"; }
};

/// Throws Stopped after a signal.
void stop_if_requested();

/// `backend`, except that it throws Stopped instead of running a program after a signal. For code that asks a
/// backend many times and has no other way to be stopped.
Backend stoppable(Backend backend);

}  // namespace lanecheck
