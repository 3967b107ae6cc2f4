// "did you mean NAME?" for names that do not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

/// How many characters must be inserted, deleted or replaced, or neighbours swapped, to make `to` of `from`.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// "; did you mean NAME?" with the nearest of `known`; empty if none of them is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace lanecheck
