// The slots of the mask register behind those of an instruction's own lanes: they must not have a say.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// The gates of an instruction whose mask is in the register, with 128 slots whatever its type is. Empty if
/// it cannot be asked so.
std::vector<Difference> gates_of_register_differences(Subject subject, const Ask& ask);

/// Its places where all 128 slots of the register are 1: lanes that it does not have may be written.
std::vector<Difference> places_under_ones(Subject subject, const Ask& ask);

/// Is it right under the register of ones that a program starts with, where the slots behind those of its
/// lanes are 1? Then these slots are measured, or the sentences say so.
void measure_slots_behind(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

}  // namespace lanecheck
