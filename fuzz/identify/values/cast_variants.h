// What an implementation could do to the elements of a cast: read them with the other sign, round them in
// another way.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/values/value_variants.h"

namespace lanecheck {

/// The integer type of the same size with the other sign; nothing for floats.
std::optional<Element> other_sign(Element type);

/// For instructions with a rounding mode; else empty.
std::vector<ValueVariant> cast_variants(const Subject& subject);

}  // namespace lanecheck
