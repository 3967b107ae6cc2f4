// Words of the mask that are taken as numbers of another type, seen in any instruction that obeys the mask.
#pragma once

#include <optional>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "add.f16: each word of the mask goes through an f64, which keeps 53 bits". Nothing if no law of
/// word_laws() gives all results, or if the mask is not given in words.
std::optional<Difference> words_as_numbers(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
