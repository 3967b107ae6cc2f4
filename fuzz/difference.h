// The smallest program on which two readings of the documents differ.
#pragma once

#include <optional>

#include "fuzz/generate.h"
#include "fuzz/offers.h"
#include "spec/reading.h"

namespace lanecheck {

/// What the two readings make of it: another final state, or one of them refuses it. Nothing when no
/// generated program tells them apart. Only instructions on offer.
std::optional<Program> smallest_difference(std::uint64_t seed, Mix mix, const Readings& one,
                                           const Readings& other, const Offers& offers = {});

}  // namespace lanecheck
