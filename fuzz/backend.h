// An implementation under test.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "spec/program.h"
#include "spec/state.h"

namespace lanecheck {

struct Ran {};  ///< the program ran; its final state is in the State handed over
struct Refused {
  std::string why;
};  ///< the backend holds the program to be illegal
struct Skipped {
  std::string why;
};  ///< not offered: neither agreement nor failure
struct Errored {
  std::string what;
};  ///< the backend broke: never counted as agreement
using Outcome = std::variant<Ran, Refused, Skipped, Errored>;

struct Backend {
  std::string name;
  std::string about;       ///< one line for people
  bool shows_mask = true;  ///< `state.mask` is meaningful after a run
  /// Runs `program` from the default state. On Ran, `state` holds all of UB (same size as program.ub) and the
  /// mask. `state` keeps its memory from call to call; its contents on entry mean nothing.
  std::function<Outcome(const Program& program, State& state)> run;
};

}  // namespace lanecheck
