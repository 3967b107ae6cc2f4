// What the tests of the generator share: one test a profile.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fuzz/generate/generate.h"
#include "spec/program/profile.h"

namespace lanecheck {

inline Mix mix_of(Profile profile) {
  Mix mix;
  mix.profile = profile;
  return mix;
}

/// A name that GoogleTest takes: "ascendc_a2".
inline std::string test_name_of(const testing::TestParamInfo<Profile>& of) {
  std::string name(row_of(of.param).name);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace lanecheck
