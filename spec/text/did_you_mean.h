// "did you mean NAME?" for names that do not exist.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/program/instruction_table.h"

namespace lanecheck {

/// How many characters must be inserted, deleted or replaced, or neighbours swapped, to make `to` of `from`.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// "; did you mean NAME?" with the nearest of `known`; empty if none of them is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// The same for the name of an instruction, with those that exist in `profile`, or in any without one.
std::string did_you_mean_instruction(std::string_view name, std::optional<Profile> profile = {});

}  // namespace lanecheck
