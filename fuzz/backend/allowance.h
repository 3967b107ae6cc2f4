// The time that a child may take for an answer. A pause of lanecheck itself does not count, and a child that
// only waits for a processor gets more.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace lanecheck {

/// The processor time that a child has used. It tells a slow machine from a hung child.
struct ProcessorTime {
  bool runnable = false;  ///< it runs, or waits for a processor
  double seconds = 0;
};

/// The processor time of a process so far. Nothing if the system does not say it.
std::optional<ProcessorTime> processor_time(pid_t pid);

inline constexpr double kLook = 0.1;     // seconds between two looks at the clock, while nothing arrives
inline constexpr double kLastBytes = 1;  // seconds after the deadline for an answer that is arriving
inline constexpr double kMostStarved =
    10;  // times its allowance that a child without a processor is waited for

/// The time that a child may take for an answer, and how much of it is used up.
class Allowance {
 public:
  Allowance(double seconds, pid_t child) : seconds_(seconds), child_(child) {}

  /// Counts the time since the last look. A look that took very long was a pause of this process.
  void look() {
    const auto now = std::chrono::steady_clock::now();
    used_ += std::min(std::chrono::duration<double>(now - last_).count(), 2 * kLook);
    last_ = now;
    if (used_ > kLook / 2 && !at_start_) at_start_ = processor_time(child_);
  }
  double next_wait() const { return used_ < seconds_ ? std::min(kLook, seconds_ - used_) : kLook; }
  bool used_up() const { return used_ >= seconds_; }
  bool long_used_up() const { return used_ >= seconds_ + kLastBytes; }

  /// Is the child only short of processor time?
  bool child_starves() const {
    if (!at_start_ || used_ >= kMostStarved * seconds_) return false;
    const auto now = processor_time(child_);
    return now && now->runnable && now->seconds - at_start_->seconds < seconds_;
  }

 private:
  double seconds_;
  pid_t child_;
  double used_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::optional<ProcessorTime> at_start_;
};

}  // namespace lanecheck
