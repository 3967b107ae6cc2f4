// Finds out whether what a program leaves depends on the programs that the backend ran before it.
#pragma once

#include "fuzz/explain/asked_backend.h"

namespace lanecheck {

/// Does the backend leave different states after `program`, depending on what it ran before? It is asked
/// about the program several times, and about the same program with other data in between. Its answers are
/// not kept.
bool depends_on_earlier_programs(const Program& program, const AskedBackend& asked);

}  // namespace lanecheck
