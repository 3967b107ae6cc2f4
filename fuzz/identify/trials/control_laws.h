// What selects make of their control bits together: short cuts, and bytes in place of bits.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// "select.f32 takes the 8 bits of each byte of control together: all of their lanes take src0 if any bit of
/// them is 1", or what whole_control() says.
std::optional<Difference> control_law(const Subject& subject, const Ask& ask);

/// "select.f32 uses the control bits of repeat 0 in every repeat if these are all 1": nothing if the backend
/// is wrong about other control bits, too, or if this does not give all that it leaves.
std::optional<Difference> whole_control(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
