// What a sentence about gates says of any program: in which repeats, and which lanes are on under a mask. A
// law can be tried on programs that were no probes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/mask/mask_register.h"

namespace lanecheck {

/// A choice of repeats that holds for any repeat times.
struct RepeatLaw {
  enum class Kind : std::uint8_t { all, first, last, from, even, odd, listed };
  Kind kind = Kind::all;
  unsigned from = 0;               ///< of Kind::from: the first repeat of the law
  std::vector<unsigned> listed{};  ///< of Kind::listed

  /// Does the law hold for `repeat` of `count` repeats?
  bool holds(unsigned repeat, unsigned count) const;
  /// "in the last repeat"; empty for all repeats.
  std::string text() const;
};

/// The plainest law that chooses exactly `repeats` of `count`.
RepeatLaw repeat_law(const std::vector<unsigned>& repeats, unsigned count);

struct GateLaw {
  RepeatLaw repeats{};
  /// Is the lane on under this mask? Nothing if the sentence says nothing of this lane.
  std::function<std::optional<bool>(unsigned lane, const MaskWords& mask)> on{};
};

/// Which results of a reduction are written, or kept, against the documents.
struct ResultLaw {
  bool written = false;  ///< else kept
  std::function<bool(unsigned result, const MaskWords& mask)> holds{};
};

}  // namespace lanecheck
