// Formulas for the elements that lanes take or write, counted from the start of their repeat.
#pragma once

#include "fuzz/identify/places/measured_strides.h"

namespace lanecheck {

/// "src0 of add.f16"
std::string role_of(const Subject& subject, unsigned k);

/// "abs.f16 writes each lane to element lane xor 1 of dst instead of lane". Nothing if no formula fits.
std::optional<Difference> moved_lanes(const Subject& subject, const std::vector<Found>& found);

/// Makes one sentence of two that say the same of the data blocks of both sources.
void name_both_sources(const Subject& subject, std::vector<Difference>& differences);

/// "lanes 8..63 of abs.f16 are computed from element 2 * lane of src instead of lane". `wrong`: the elements
/// of operand `k` that were taken in place of the documented ones.
std::optional<Difference> misread_lanes(const Subject& subject, unsigned k, const std::vector<Found>& wrong);

}  // namespace lanecheck
