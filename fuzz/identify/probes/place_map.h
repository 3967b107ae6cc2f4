// Measures the destination map and the source maps of an elementwise instruction with the digit code.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Are there probes for the places of this form?
bool has_place_probes(const Row& row);

/// Asks for the maps under `mask`. The same function measures a backend and, with ask_oracle(), the
/// documents.
PlaceMaps measure_places(const Subject& given, MaskWords mask, const Ask& ask);

/// The element of operand `k` that lane `lane` of repeat `repeat` walks over (Walk::blocks).
std::int32_t element_at(const Instruction& insn, unsigned k, unsigned repeat, unsigned lane);

}  // namespace lanecheck
