// Other data and places for a changed program. A change often moves or hides the data that shows a fault:
// then the program conforms, and says nothing about the change.
#pragma once

#include "fuzz/explain/variation.h"
#include "reports/report.h"

namespace lanecheck {

/// The same changed program, staged in several ways. Only if it conforms in all of them is the fault not
/// there.
class Stagings {
 public:
  static constexpr unsigned kSure = 5;       ///< a divergence in one of the first is that of the finding
  static constexpr unsigned kDataPhase = 3;  ///< of the data of staging 0, see set_data()
  static constexpr unsigned kCount = 8;      ///< one in the others may have another cause

  /// `base`: the finding's program. `kind`: data by which every lane counts and which show the fault, see
  /// set_data(); nothing if only the finding's own data show it.
  Stagings(const Finding& finding, Variation base, std::optional<unsigned> kind);

  /// Puts `it` in order: room, repeats that do not overlap, and data. `keeps_mask`: the mask is what was
  /// changed. `fresh`: other data of the same kind.
  void stage(Variation& it, unsigned staging, bool keeps_mask, bool fresh) const;

 private:
  void carry(Variation& it, bool one_group) const;

  Variation base_;
  std::optional<unsigned> kind_;
  bool counts_ = false;  ///< a number of elements takes the place of the mask
  unsigned repeat_ = 0;  ///< the first wrong element: its repeat
  unsigned lane_ = 0;    ///< the first lane that its result is computed from
  unsigned group_ = 1;   ///< how many lanes it is computed from
};

}  // namespace lanecheck
