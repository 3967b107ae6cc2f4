// What a language or an interface makes of a word of the mask that it takes as a number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

struct WordLaw {
  std::string_view text;  ///< behind "a word of the mask": "goes through an f64, which keeps 53 bits"
  std::uint64_t (*of)(std::uint64_t word);
};

/// Which words of a mask a law is about.
struct WhichWords {
  std::string_view text;
  bool low, high;

  MaskWords taken(const WordLaw& law, const MaskWords& mask) const {
    return {high ? law.of(mask.high) : mask.high, low ? law.of(mask.low) : mask.low};
  }
};
inline constexpr WhichWords kEachWord{"each word", true, true}, kLowWord{"the low word", true, false},
    kHighWord{"the high word", false, true};

std::span<const WordLaw> word_laws();

/// "each word of the mask goes through an f64, which keeps 53 bits": the first law for which
/// `gives(which, law)` holds. Nothing if none does.
template <class Gives>
std::optional<std::string> find_word_law(Gives gives) {
  for (const WhichWords& which : {kLowWord, kHighWord, kEachWord})  // no more is said than shows
    for (const WordLaw& law : word_laws())
      if (gives(which, law)) return std::string(which.text) + " of the mask " + std::string(law.text);
  return {};
}
/// The key of such a law, whatever shows it.
inline std::string key_of_word_law(const std::string& text) {
  return "gate: " + text;
}

/// Masks whose words these laws change, each in another way.
std::span<const MaskWords> masks_of_numbers();

}  // namespace lanecheck
