// Backends that are programs: `cmd: python3 my_sim.py`, over standard input and output (protocol.md).
#pragma once

#include <cstdio>
#include <string>

#include "fuzz/backend/isolation.h"

namespace lanecheck {

/// Starts `command` and asks it for its hello. Throws BackendFailure, and InputError if the command is
/// invalid.
Backend process_backend(const std::string& command, const AttachOptions& options);

/// The other side of the protocol: answers the requests on standard input by `backend` until the input ends,
/// and returns the exit status. The answers go to `answers`. With `hex_only` it does not offer to read images
/// as bytes.
int serve(const Backend& backend, bool hex_only, std::FILE* answers = stdout);

}  // namespace lanecheck
