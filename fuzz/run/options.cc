#include "fuzz/run/options.h"

#include "fuzz/backend/stopwatch.h"

namespace lanecheck {

RunHooks with_clock(RunHooks hooks) {
  if (!hooks.clock) hooks.clock = [watch = Stopwatch()] { return watch.seconds(); };
  return hooks;
}

bool time_is_over(const RunOptions& options, const RunHooks& hooks) {
  return options.seconds > 0 && hooks.clock && hooks.clock() >= options.seconds;
}

std::function<bool()> end_of_analysis(const RunOptions& options, const RunHooks& hooks) {
  return [&] { return (hooks.stop && hooks.stop()) || time_is_over(options, hooks); };
}

std::string cut_short_text(const std::string& finding) {
  return "the time was over while " + finding + " was analysed, so its program may not be the smallest";
}

}  // namespace lanecheck
