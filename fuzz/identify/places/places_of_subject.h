// The places of an instruction of any kind, measured under a mask, and how they differ from the documented
// ones.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Where the subject reads and writes, as `ask` answers.
PlaceMaps places_of(const Subject& subject, MaskWords mask, const Ask& ask);

/// The operand that a difference is about; nothing if it names none.
std::optional<unsigned> operand_of(const Subject& subject, const Difference& difference);

/// How the places differ that `ask` shows.
std::vector<Difference> differences_in_places(const Subject& subject, MaskWords mask, const Ask& ask);

/// How `measured` differs from what the documents say of the subject.
std::vector<Difference> differences_in_places(const Subject& subject, const PlaceMaps& measured,
                                              MaskWords mask);

}  // namespace lanecheck
