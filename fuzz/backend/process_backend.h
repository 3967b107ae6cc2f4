// Backends that are programs: `cmd: python3 my_sim.py`, over standard input and output (protocol.md).
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "fuzz/backend/isolation.h"

namespace lanecheck {

/// Starts `command` and asks it for its hello. Throws BackendFailure, and InputError if the command is
/// invalid.
Backend process_backend(const std::string& command, const AttachOptions& options);

/// Answers requests by a backend, which must outlive it.
class Responder {
 public:
  explicit Responder(const Backend& backend, bool hex_only = false)
      : backend_(backend), hex_only_(hex_only) {}
  /// The whole answer to a request that has its images.
  std::string answer(const Request& request);

 private:
  const Backend& backend_;
  bool hex_only_;
  std::vector<State> states_;  ///< kept, so that their memory is
  std::vector<Outcome> outcomes_;
};

/// The other side of the protocol: answers the requests on standard input by `backend` until the input ends,
/// and returns the exit status. The answers go to `answers`. With `hex_only` it does not offer to read images
/// as bytes.
int serve(const Backend& backend, bool hex_only, std::FILE* answers = stdout);

}  // namespace lanecheck
