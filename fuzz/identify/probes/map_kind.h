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

/// What a law of gather_mask is about.
enum class GatherMatter : std::uint8_t {
  kept,            ///< which elements of a repeat are kept, by the pattern
  pattern_stride,  ///< where the user pattern of a repeat stands
  block_stride,    ///< of src0
  repeat_stride,   ///< of src0
  strides,         ///< both of src0
  looked_at,       ///< how many elements and repeats are looked at
  packing,         ///< where in dst the kept elements go
  count,           ///< which count is returned
  vector_mask      ///< whether the vector mask has a say
};

/// As keys and JSON have it.
std::string_view name_of(MapKind map);

/// The map of the operand with this role.
MapKind map_of_role(std::string_view role);

constexpr bool is_source(MapKind map) {
  return map == MapKind::src || map == MapKind::src0 || map == MapKind::src1;
}

}  // namespace lanecheck
