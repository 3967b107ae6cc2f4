// Questions that a formula can put to the words of a mask: "the low word" "is 0".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/identify/probes/maps.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {

struct MaskCondition {
  std::string_view subject, yes, no;
  bool (*holds)(const MaskWords& mask, const MaskWords& full);

  /// "the low word is 0"
  std::string text(bool when) const { return std::string(subject) + " " + std::string(when ? yes : no); }
};

std::span<const MaskCondition> mask_conditions();

/// Is the lane of this gate on under `mask`? Nothing if no single slot decides.
std::optional<bool> is_on(const Gate& gate, const MaskWords& mask);

}  // namespace lanecheck
