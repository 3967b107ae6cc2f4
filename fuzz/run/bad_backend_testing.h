// For tests: fuzz/backend/misbehaving/bad_backend.py, attached.
#pragma once

#include <unistd.h>

#include <cstdlib>

#include "fuzz/run/attach_testing.h"

namespace lanecheck {

inline Backend bad_backend(const std::string& fault, const AttachOptions& options) {
  return find_backend(
      "cmd: " LANECHECK_PYTHON " '" LANECHECK_SOURCE_DIR "/fuzz/backend/misbehaving/bad_backend.py' " + fault,
      options);
}

inline Backend bad_backend(const std::string& fault, double deadline = 1) {
  AttachOptions options;
  options.deadline = deadline;
  options.start_up = fault == "hello_hangs" ? 1 : 60;
  return bad_backend(fault, options);
}

class StartedFile {  // where bad_backend.py remembers that it was started before
 public:
  StartedFile() {
    std::filesystem::remove(path_);
    setenv("BAD_BACKEND_STARTED", path_.c_str(), 1);
  }
  ~StartedFile() { std::filesystem::remove(path_); }
  StartedFile(const StartedFile&) = delete;
  StartedFile& operator=(const StartedFile&) = delete;

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("lanecheck_started_" + std::to_string(getpid()));
};

inline std::vector<Outcome> outcomes_of(const Backend& backend, const std::vector<Program>& programs) {
  std::vector<State> states(programs.size());
  std::vector<Outcome> outcomes(programs.size());
  run_all(backend, {programs, states, outcomes});
  return outcomes;
}

}  // namespace lanecheck
