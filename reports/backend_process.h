// One process of a backend, from its start to its end.
#pragma once

#include <cstdint>
#include <string>

namespace lanecheck {

struct BackendProcess {
  std::uint64_t programs = 0;  ///< how many programs it answered
  std::string end;             ///< "exited with status 0 at the end", "killed by signal 11 (SIGSEGV)", ...
  bool failed = false;         ///< it ended by a fault
  std::string output;          ///< the beginning and the end of what it wrote to standard error
};

}  // namespace lanecheck
