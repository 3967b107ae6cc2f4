// Rules that say which elements take part for a number of elements.
#pragma once

#include <functional>

#include "fuzz/identify/probes/length_map.h"

namespace lanecheck {

/// Which elements take part for a length, and how this is said. A rule may go by the repeat times of the
/// instruction, which have no say by the documents.
struct LengthRule {
  std::string text;
  std::function<bool(const LengthAnswer& of, std::uint32_t element)> takes;
  std::string general{};  ///< the text for types with another number of lanes; empty: the same
  std::string key{};      ///< of the cause, if it is the same for every number of lanes
};

/// "3 elements".
std::string elements(std::uint32_t count);

/// What the number of elements is called: "the count n" or "the length n".
std::string name_of(MaskGiven given);

/// All rules that may explain what was measured, the plainest first.
std::vector<LengthRule> length_rules(const Subject& subject, MaskGiven given, const LengthMap& measured);

}  // namespace lanecheck
