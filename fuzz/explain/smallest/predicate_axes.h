// What is varied to learn when a fault happens: the element types, the mask, the repeat time, a block or
// repeat stride, the way to count of GatherMask, the place of dst.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/explain/questions/variation.h"
#include "reports/report.h"

namespace lanecheck {

/// One value of one thing that is varied.
struct AxisValue {
  std::string name;
  unsigned turns = 1;  ///< how many members the class has, such as lanes that may be off
  std::function<bool(Variation& variation, unsigned turn)> apply;
  bool is_own = false;   ///< the finding's program has this value
  bool has_own = false;  ///< the finding's program has a value of this class: "not with it" would be false
  Says said = Says::nothing;
  bool is_unclear =
      false;               ///< some programs with this value show the fault, and others do not or say nothing
  bool is_untold = false;  ///< the backend offers it, and no program told whether it has the fault
};

struct VariedAxis {
  std::string preposition;  ///< "with "
  std::string noun;         ///< "mask"
  std::vector<AxisValue> values;
  bool is_mask = false;
  bool is_type = false;
  bool is_repeat = false;              ///< repeat times
  bool is_own_mode = false;            ///< a mode of the instruction alone: earlier ones need not fit it
  bool is_said_if_it_matters = false;  ///< if all values show the fault, the sentence leaves the axis out

  std::vector<const AxisValue*> that(Says said) const;
};

inline constexpr const char* kFullMaskName = "a full mask";

std::vector<VariedAxis> varied_axes(const Finding& finding, const Variation& base);

}  // namespace lanecheck
