// For tests: runs over drawn cases alone.
#pragma once

#include "fuzz/run/options.h"
#include "spec/program/profile.h"

namespace lanecheck {

inline RunOptions drawn(Profile profile, std::uint64_t cases = RunOptions{}.cases) {
  RunOptions options;
  options.mix.profile = profile;
  options.mix.with_boundaries = false;
  options.readings = default_readings(profile);
  options.cases = cases;
  return options;
}

/// No case lies at an edge of legality.
inline RunOptions drawn_legal(Profile profile, std::uint64_t cases) {
  RunOptions options = drawn(profile, cases);
  options.illegal_in_32 = 0;
  return options;
}

}  // namespace lanecheck
