// What a program leaves behind: the bytes of UB and the vector mask.
#pragma once

#include <cstddef>
#include <vector>

#include "spec/mask.h"

namespace lanecheck {

struct State {
  std::vector<std::byte> ub;
  Mask mask = kFullMask;

  bool operator==(const State&) const = default;
};

}  // namespace lanecheck
