// One life of a backend that runs in a process of its own, from its start to its end.
#pragma once

#include <cstdint>
#include <string>

namespace lanecheck {

struct BackendProcess {
  std::uint64_t programs = 0;  ///< answered
  std::string end;             ///< "exited with status 0 at the end", "killed by signal 11 (SIGSEGV)", ...
  bool failed = false;         ///< it ended by a fault
  std::string output;          ///< beginning and end of what it wrote to standard error
};

}  // namespace lanecheck
