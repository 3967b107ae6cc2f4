// Names for tests that run once for each profile.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "spec/program/profile.h"

namespace lanecheck {

/// `text` as a name that GoogleTest takes: "ascendc_a2".
inline std::string as_test_name(std::string_view text) {
  std::string name(text);
  std::ranges::replace(name, '-', '_');
  return name;
}

inline std::string test_name_of(const testing::TestParamInfo<Profile>& of) {
  return as_test_name(row_of(of.param).name);
}

}  // namespace lanecheck
