// What the elements behind a count do to the results of a reduction. By the documents they do nothing.
#pragma once

#include "fuzz/identify/probes/length_map.h"

namespace lanecheck {

/// "takes 0 for the elements behind ": the name of the number follows, then the rest of the sentence.
struct BehindText {
  std::string text, rest;
  std::string general{};      ///< `text` without the value, if that is the neutral element; else empty
  bool only_example = false;  ///< it is not so for all numbers
};

/// Nothing if the elements behind the number do nothing, or if this is not all that is wrong.
std::optional<BehindText> elements_behind(const Subject& subject, const LengthMap& measured,
                                          const LengthMap& documented);

}  // namespace lanecheck
