// The built-in example simulator: the default backend. Written from the documents and the program format
// alone, in the style in which people write such simulators; it shares no code with the oracle.
#pragma once

#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck::simulator {

/// Runs `program` from the default state; `state` receives all of UB and the mask.
void run(const Program& program, State& state);

}  // namespace lanecheck::simulator
