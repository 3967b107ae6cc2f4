// How the source of an instruction that moves elements walks, if it does not walk as documented.
#pragma once

#include <optional>

#include "fuzz/identify/places/move_comparison.h"
#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// "src0 of select.f16 walks with block stride 2 instead of 1"
std::optional<Difference> by_strides(const MoveComparison& all);

/// The same in some data blocks or repeats only.
std::optional<Difference> by_partial_strides(const MoveComparison& all);

/// "select.f16 reads control modulo one data block": every place is the documented one modulo a power of two.
std::optional<Difference> by_modulo(const MoveComparison& all);

}  // namespace lanecheck
