// What compare_cmpmask makes of the bits that are not its own: those of masked-off lanes and those behind its
// lanes. By the documents the compare mask keeps them (asc-devkit, Compare to register).
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "compare_cmpmask.f16 clears the bits of masked-off lanes"; nothing if the backend is right, or if no law
/// gives all bits.
std::optional<Difference> kept_bits_difference(const Subject& subject, const Ask& ask);

/// get_cmpmask behind set_cmpmask: what of the 16 bytes does not arrive? Neither of the two says which of
/// them is wrong.
std::optional<Difference> copied_bits_difference(Profile profile, const Ask& ask);

}  // namespace lanecheck
