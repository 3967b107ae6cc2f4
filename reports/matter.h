// What a divergence is a matter of.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanecheck {

/// The subject of a divergence. Mask rules are judged apart from arithmetic.
enum class Matter : std::uint8_t {
  mask,
  arithmetic,  ///< active lanes alone differ, and the relation to the backend's own unmasked run holds
  reading,
  refusal,
  failure,
  difference,
  address,     ///< strides, blocks, repeats, offsets, order: which elements are read and written
  unexplained  ///< nothing tells a wrong address, a wrong use of the mask and wrong arithmetic apart
};
inline constexpr std::string_view kMatterNames[] = {"mask",    "arithmetic", "reading", "refusal",
                                                    "failure", "difference", "address", "unexplained"};

}  // namespace lanecheck
