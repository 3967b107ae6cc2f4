// Does an instruction take the words of its mask for a number of elements?
#pragma once

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

/// "adds.f16 takes its mask for a count: the first n elements of all its repeats take part, where n is its
/// low word". Nothing if the backend leaves anything else under one of some masks that are small numbers.
std::optional<Difference> mask_as_count(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
