#include "fuzz/identify/probes/map_kind.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lanecheck {
namespace {

constexpr std::string_view kNames[] = {"gate",   "state",   "register",  "length", "contribution", "start",
                                       "places", "values",  "elsewhere", "dst",    "src",          "src0",
                                       "src1",   "control", "offsets",   "index"};

}  // namespace

std::string_view name_of(MapKind map) {
  return kNames[static_cast<std::size_t>(map)];
}

MapKind map_of_role(std::string_view role) {
  const auto* const found =
      std::find(kNames + static_cast<std::size_t>(MapKind::dst), std::end(kNames), role);
  if (found == std::end(kNames)) throw std::logic_error("no map is measured of operand " + std::string(role));
  return static_cast<MapKind>(found - kNames);
}

}  // namespace lanecheck
