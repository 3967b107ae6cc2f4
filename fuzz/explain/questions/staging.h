// Other data and places for a changed program. A change often moves or hides the data that shows a fault:
// then the program conforms, and says nothing about the change.
#pragma once

#include "fuzz/explain/questions/variation.h"
#include "reports/report.h"

namespace lanecheck {

/// With which data, and where, a changed program runs. Those from `other_data` on are for doubt alone.
enum class Staging : std::uint8_t {
  kind_of_data,   ///< data by which every lane counts, of the kind that shows the fault
  own_data,       ///< the finding's own data, as far as the change leaves them
  carried_lane,   ///< operands apart; the values of the first wrong lane in all lanes
  carried_group,  ///< the same for all lanes that its result is computed from
  other_data,     ///< operands apart; data of another kind by which every lane counts
  wild,           ///< operands apart, another mask and scalar; values of every kind
  extremes,       ///< the same; the ends of the type's range
  finite,         ///< the same; finite values
  off_extremes,   ///< operands apart; masked-off elements that would win a minimum or maximum if they counted
  elsewhere,      ///< at other places in UB, with room behind each operand that is not 0
  moved_data      ///< the finding's own data, each element of a source where the changed strides have it
};
inline constexpr Staging kEveryStaging[] = {Staging::kind_of_data,  Staging::own_data,  Staging::carried_lane,
                                            Staging::carried_group, Staging::elsewhere, Staging::other_data,
                                            Staging::off_extremes,  Staging::wild,      Staging::extremes,
                                            Staging::finite,        Staging::moved_data};
/// A divergence in one of these is that of the finding; one in the others may have another cause.
inline bool is_sure(Staging staging) {
  return staging <= Staging::other_data || staging >= Staging::off_extremes;
}

/// The same changed program, staged in several ways. Only if it conforms in all of them is the fault not
/// there.
class Stagings {
 public:
  static constexpr unsigned kDataPhase = 3;  ///< of the data of staging 0, see set_data()

  /// `base`: the finding's program. `kind`: data by which every lane counts and which show the fault, see
  /// set_data(); nothing if only the finding's own data show it.
  Stagings(const Finding& finding, Variation base, std::optional<unsigned> kind);

  /// Does the staging say more of the changed program than the others do? off_extremes does of a minimum or
  /// maximum over lanes, elsewhere if the change does not leave all operands at their places, moved_data if a
  /// source has another stride.
  bool tells(Staging staging, const Variation& it) const;

  /// Puts `it` in order: room, repeats that do not overlap, and data. `keeps_mask`: the mask is what was
  /// changed. `fresh`: other data of the same kind.
  void stage(Variation& it, Staging staging, bool keeps_mask, bool fresh) const;

 private:
  struct Place {
    unsigned repeat, lane;
  };
  /// Writes to each lane of each repeat what the place `from_place(repeat, lane)` of the finding's program
  /// holds.
  template <class From>
  void carry(Variation& it, From from_place) const;

  Variation base_;
  std::optional<unsigned> kind_;
  bool counts_ = false;  ///< a number of elements takes the place of the mask
  unsigned repeat_ = 0;  ///< the first wrong element: its repeat
  unsigned lane_ = 0;    ///< the first lane that its result is computed from
  unsigned group_ = 1;   ///< how many lanes it is computed from
};

}  // namespace lanecheck
