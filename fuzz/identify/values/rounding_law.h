// How a cast rounds, and what it makes of numbers that do not fit, if one law gives every result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

struct RoundingLaw {
  std::string text;
  std::string key{};  ///< the same of casts of all types: "wraps below the least value"; empty: the text
  /// An infinity alone does not fit and becomes 0: a constant, or the lowest bits. The text says the
  /// constant.
  bool may_wrap = false;

  bool operator==(const RoundingLaw&) const = default;
};

/// "rounds halves up (towards +infinity) in mode round, instead of away from zero". Nothing for other
/// instructions, or if no law gives all results. `wraps`: where a law may wrap, it does.
std::optional<RoundingLaw> rounding_law(const std::vector<JudgedResult>& results, bool wraps = false);

}  // namespace lanecheck
