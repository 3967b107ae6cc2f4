// Rules for contiguous masks whose two words are made one by one: how a word is made wrongly, which word, and
// for which lengths.
#pragma once

#include "fuzz/identify/lengths/length_rules.h"

namespace lanecheck {

/// A word that is 0 instead of all ones, or the reverse, at the lengths where a shift by 64 makes it.
std::vector<LengthRule> shifts_by_64(const std::string& n, std::uint32_t lanes);

/// One word or both are made by another formula.
std::vector<LengthRule> word_lengths(const std::string& n, std::uint32_t lanes);

/// Counts whose last repeat has a mask of two words, one of which is made in one of these ways.
std::vector<LengthRule> words_of_last_repeat(std::uint32_t lanes);

}  // namespace lanecheck
