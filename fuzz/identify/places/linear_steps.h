// A number that grows with the repeat and with the place in the repeat, by fixed steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/program/instruction.h"

namespace lanecheck {

/// The number that was found for one place of one repeat.
struct StepItem {
  std::int64_t repeat, place, number;
};

/// "16 * R + B": what gives all numbers, where R is the repeat and `place` ("B") the name of the place.
/// Nothing if no steps of zero or more do, or if the items lie in one repeat or at one place.
std::optional<std::string> linear_steps(const std::vector<StepItem>& items, const std::string& place);

inline constexpr std::string_view kWhereStrideIs = ", where S is the repeat stride of ";

/// "S * R + B": a step that is the repeat stride of an operand, and not 8, may be no constant. `behind`
/// becomes
/// ", where S is the repeat stride of dst"; it stays as it is if no step is such a stride.
std::string with_named_stride(const Instruction& insn, std::string steps, std::string& behind);

}  // namespace lanecheck
