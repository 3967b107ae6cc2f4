// What a program leaves behind: the bytes of UB, the vector mask, the mode of the mask and the compare mask.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "spec/instruction.h"
#include "spec/mask.h"

namespace lanecheck {

struct State {
  std::vector<std::byte> ub;
  Mask mask = kFullMask;
  Mode mode = Mode::normal;
  /// The compare mask register (SetCmpMask), lowest bit first. No backend shows it but through GetCmpMask.
  std::array<std::byte, 16> cmpmask{};

  bool operator==(const State&) const = default;
};

}  // namespace lanecheck
