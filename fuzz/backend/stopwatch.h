// Elapsed time, for rates and limits; nothing that a case or a verdict depends on.
#pragma once

#include <chrono>

namespace lanecheck {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lanecheck
