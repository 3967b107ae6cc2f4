// The smallest program on which two readings of the documents differ.
#pragma once

#include <optional>

#include "fuzz/backend/capabilities.h"
#include "fuzz/generate/generate.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// What the two readings make of it: another final state, or one of them refuses it. Nothing when no
/// generated program tells them apart. Only instructions on offer.
std::optional<Program> smallest_difference(std::uint64_t seed, Mix mix, const Readings& one,
                                           const Readings& other, const Capabilities& offers = {});

}  // namespace lanecheck
