// What rules of gather_mask, and laws that are measured of it, speak of (GM).
#pragma once

#include <cstdint>

namespace lanecheck {

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

}  // namespace lanecheck
