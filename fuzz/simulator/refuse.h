// Says which programs the example simulator refuses: those that its documents call illegal.
#pragma once

#include <optional>
#include <string>

#include "spec/program/program.h"

namespace lanecheck::simulator {

/// Why an illegal program is refused, in one line; nothing if it is legal.
std::optional<std::string> refusal(const Program& program);

}  // namespace lanecheck::simulator
