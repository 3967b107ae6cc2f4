// Which elements take part for which number, asked of a backend with and without a number given before.
#pragma once

#include <string>

#include "fuzz/identify/lengths/length_differences.h"

namespace lanecheck {

inline constexpr std::uint32_t kEarlier = 40;  ///< elements that took part before

/// Ways to have a number or a mask in the register before, for kEarlier elements; empty if the profile has no
/// such register. A backend may not offer the first one.
std::vector<std::vector<Instruction>> earlier_numbers(const Subject& subject, MaskGiven given);

/// The instruction itself under a mask of lane 0 alone, for profiles without an instruction that sets the
/// mask: a backend may keep a part of that mask. Lane 0 takes part for every number.
std::vector<Instruction> earlier_mask(const Subject& subject);

/// Measures which elements take part for which number.
struct AskedLengths {
  const Subject& subject;
  MaskGiven given;
  const Ask& ask;
  std::vector<Instruction> before{};

  std::optional<Lengths> lengths(unsigned repeat = 1) const;
};

/// Is every answer that of the documents?
bool is_right(const Lengths& lengths);

/// After an earlier count, which instruction sets a later one wrongly, if the other one sets it rightly:
/// "set_vector_mask"; empty if both do it wrongly.
std::string only_setter_of_count(const Subject& subject, const Ask& ask);

}  // namespace lanecheck
