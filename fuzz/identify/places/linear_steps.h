// A number that grows with the repeat and with the place in the repeat, by fixed steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanecheck {

/// The number that was found for one place of one repeat.
struct StepItem {
  std::int64_t repeat, place, number;
};

/// "16 * R + B": what gives all numbers, where R is the repeat and `place` ("B") the name of the place.
/// Nothing if no steps of zero or more do, or if the items lie in one repeat or at one place.
std::optional<std::string> linear_steps(const std::vector<StepItem>& items, const std::string& place);

}  // namespace lanecheck
