// An identification as text for people and as JSON.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "fuzz/identify/identify.h"

namespace lanecheck {

/// The sentences first, then the maps shape by shape.
void print(std::ostream& out, const Identification& identification);

nlohmann::ordered_json to_json(const Identification& identification);

/// "lanes 0..63 by slot lane, lanes 64..127 always": the gates of one repeat.
std::string show_gates(const GateMap& map, unsigned repeat);

}  // namespace lanecheck
