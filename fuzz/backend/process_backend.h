// Backends that are programs: `cmd: python3 my_sim.py`, over standard input and output (protocol.md).
#pragma once

#include <string>

#include "fuzz/backend/isolation.h"

namespace lanecheck {

/// Starts `command` and shakes hands. Throws BackendFailure, and InputError if the command is invalid.
Backend process_backend(const std::string& command, const AttachOptions& options);

/// The other side: answers requests on standard input by `backend` until it ends. Exit status. `hex_only`:
/// does not offer to take images as bytes.
int serve(const Backend& backend, bool hex_only);

}  // namespace lanecheck
