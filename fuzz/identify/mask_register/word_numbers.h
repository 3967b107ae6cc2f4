// What a language or an interface makes of a word of the mask that it takes as a number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

struct WordLaw {
  std::string_view text;  ///< behind "a word of the mask": "goes through an f64, which keeps 53 bits"
  std::uint64_t (*of)(std::uint64_t word);
};

std::span<const WordLaw> word_laws();

/// Masks whose words these laws change, each in another way.
std::span<const MaskWords> masks_of_numbers();

}  // namespace lanecheck
