#include "fuzz/run/options.h"

#include <cmath>
#include <sstream>

#include "fuzz/backend/stopwatch.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {

Until read_until(const std::string& text) {
  Until until;
  until.text = text;
  if (text.empty()) return until;
  std::istringstream words(text);
  std::string what, sign;
  double bound = 0;
  words >> what >> sign >> bound;
  const bool whole = !words.fail() && words.peek() == std::istringstream::traits_type::eof();
  if (whole && what == "findings" && sign == ">=" && bound >= 1 && bound <= 1e6 && bound == std::floor(bound))
    until.findings = static_cast<std::uint64_t>(bound);
  else if (whole && what == "risk" && sign == "<" && bound > 0 && bound < 1)
    until.risk = bound;
  else
    throw InputError("--until '" + printable(text) + "'", "give 'findings >= N' or 'risk < X'");
  return until;
}

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

RunOptions options_of(const Case& c, const RunOptions& options) {
  RunOptions own = options;
  const Profile profile = c.program.profile;
  if (profile != options.mix.profile) {
    own.readings = default_readings(profile);
    own.pinned.clear();
  }
  own.mix.profile = profile;
  for (const auto& [id, option] : departures(c.readings, default_readings(profile))) {
    pin(own.readings, std::string(id) + "=" + std::string(option));
    own.pinned.emplace_back(id);
  }
  return own;
}

std::string cut_short_text(const std::string& finding) {
  return "the time was over while " + finding + " was analysed, so its program may not be the smallest";
}

}  // namespace lanecheck
