// For tests of low rooms: backends that are functions of this process, without the table of the run room.
#pragma once

#include "fuzz/backend/backend.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"

namespace lanecheck {

/// The example simulator; it refuses illegal programs.
inline Backend example_backend() {
  return function_backend("example", "", [](const Program& program, State& state) -> Outcome {
    if (auto why = simulator::refusal(program)) return Refused{std::move(*why)};
    simulator::run(program, state);
    return Ran{};
  });
}

}  // namespace lanecheck
