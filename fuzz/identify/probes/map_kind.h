// In which map a measured difference lies.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanecheck {

/// The map of an operand is called after its role.
enum class MapKind : std::uint8_t {
  gate,
  state,          ///< the mask that is in force
  mask_register,  ///< what an instruction leaves in it
  length,         ///< the number of elements that take part
  contribution,   ///< which elements count in which results of a reduction
  start,          ///< with what value a reduction starts
  places,         ///< of gather_mask
  values,
  elsewhere,  ///< outside of dst
  dst,
  src,
  src0,
  src1,
  control,
  offsets,
  index
};

/// As keys and JSON have it.
std::string_view name_of(MapKind map);

/// The map of the operand with this role.
MapKind map_of_role(std::string_view role);

constexpr bool is_source(MapKind map) {
  return map == MapKind::src || map == MapKind::src0 || map == MapKind::src1;
}

}  // namespace lanecheck
