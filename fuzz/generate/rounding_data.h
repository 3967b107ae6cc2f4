// Source data for casts: ties of rounding and their neighbours, and the borders of the destination type.
#pragma once

#include <cstddef>
#include <span>

#include "spec/program/element.h"

namespace lanecheck {

/// Fills `into` (whole blocks) with elements of `source` of which a cast to `target` rounds most exactly
/// halfway between two elements of `target` or one step beside that; the others lie at the limits of
/// `target`, next to 0, or anywhere. `phase` picks the window, 0..63.
void fill_for_cast(std::span<std::byte> into, Element target, Element source, unsigned phase);

/// Is the element `bits` of float type `source` exactly halfway between two elements of `target`?
bool is_tie(Element target, Element source, std::uint64_t bits);

}  // namespace lanecheck
