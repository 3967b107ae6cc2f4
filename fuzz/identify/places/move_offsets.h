// How a backend misreads the offsets of gather, gatherb or scatter, found by what each misreading would
// write.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "offsets of gather.f16 are rounded down to multiples of 4 bytes": the misreading that explains every byte
/// of a few programs with offsets from small to more than 16 bits. Nothing if the backend is right there, or
/// if no misreading explains it, or if the instruction has no offsets.
std::optional<Difference> offset_difference(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
