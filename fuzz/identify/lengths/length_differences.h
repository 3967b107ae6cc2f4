// What a count or a contiguous length does instead of what is documented, in sentences.
#pragma once

#include <functional>
#include <string>

#include "fuzz/identify/probes/length_map.h"

namespace lanecheck {

/// What was measured, what is documented, and a way to measure more numbers: a law is tried on them.
struct Lengths {
  LengthMap measured, documented;
  std::function<Measured<LengthMap>(const std::vector<std::uint32_t>&numbers)> ask, ask_documents;
  /// What the law of the same instruction with 128 lanes says, if it is wrong too: what is a data block of
  /// one type is 8 elements of another. Else empty.
  std::string law_of_twin{};
};

/// What a number of elements does instead of what is documented; nothing if the maps are equal.
std::vector<Difference> length_differences(const Subject& subject, MaskGiven given, Lengths lengths);

/// What the law of these lengths says of any element type, without the instruction; empty if none is found.
std::string length_law(const Subject& subject, MaskGiven given, Lengths lengths);

/// What an earlier number or mask in the register does to a number that is given later, by the documents
/// nothing: `earlier` elements took part before. Nothing if no law fits. `only`: of counts of counter mode,
/// the one instruction that sets them wrongly; empty if several do.
std::vector<Difference> earlier_number_differences(const Subject& subject, MaskGiven given,
                                                   const LengthMap& measured, std::uint32_t earlier,
                                                   const std::string& only = "");

}  // namespace lanecheck
