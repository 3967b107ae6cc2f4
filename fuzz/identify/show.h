// An identification as text for people and as JSON.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "fuzz/identify/identify.h"

namespace lanecheck {

/// The sentences first, then the maps shape by shape.
void print(std::ostream& out, const Identification& identification);

nlohmann::ordered_json to_json(const Identification& identification);

}  // namespace lanecheck
