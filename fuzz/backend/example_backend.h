// The example simulator as a backend. Who includes this links lanecheck_simulator.
#pragma once

#include "fuzz/backend/backend.h"
#include "fuzz/simulator/refuse.h"
#include "fuzz/simulator/simulator.h"

namespace lanecheck {

/// The example simulator; it refuses illegal programs.
inline Backend example_backend() {
  return function_backend("example", "the example simulator",
                          [](const Program& program, State& state) -> Outcome {
                            if (auto why = simulator::refusal(program)) return Refused{std::move(*why)};
                            simulator::run(program, state);
                            return Ran{};
                          });
}

}  // namespace lanecheck
