// The difference between measured and documented places (destination and sources), in sentences.
#pragma once

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

struct PlaceDifferences {
  std::vector<Difference> list;
  /// For each lane of each repeat: its place is not written, or it cannot be told from which lane its value
  /// comes, so that its gate means nothing.
  std::vector<bool> lost;
};

/// `gates`, if measured, tells the lanes that a gate keeps from those that are left out.
PlaceDifferences place_differences(const Subject& subject, const PlaceMaps& measured,
                                   const PlaceMaps& documented, const std::optional<GateMap>& gates);

/// "add.f16 performs a repeat although its repeat times are 0"
Difference repeat_at_0(const Instruction& insn);

}  // namespace lanecheck
