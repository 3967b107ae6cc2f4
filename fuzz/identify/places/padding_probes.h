// The programs that show how a backend pads, and what they leave: one for each padMode and side.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

inline constexpr unsigned kPadRepeats = 3, kPadModes = 3, kPadSides = 2;

/// Which elements take part: a mask, or a number of elements.
struct Taking {
  MaskGiven given = MaskGiven::words;
  MaskWords words{};
  std::uint32_t length = 0;

  /// Does this element of a repeat take part?
  bool on(unsigned repeat, unsigned lane, unsigned lanes) const {
    return given == MaskGiven::words ? has_slot(words, lane) : repeat * lanes + lane < length;
  }
};

/// The element of src at each place of all repeats of dst; kKept, kAlwaysZero, kAlwaysOne or kNoElement.
using Padded = std::vector<std::int32_t>;

/// What backend and documents leave in each padMode and on each side.
struct PadSeries {
  Taking taking;
  std::vector<Padded> measured, documented;  ///< padMode * kPadSides + padSide
};

/// Nothing if the backend does not answer. The subject has kPadRepeats repeats, in a row.
std::optional<PadSeries> pad_series(const Subject& subject, const Taking& taking, const Ask& ask);

/// The modes and sides in which they differ.
std::vector<unsigned> wrong_settings(const PadSeries& series);

}  // namespace lanecheck
