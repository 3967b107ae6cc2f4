#include "fuzz/certificate/mask_coverage.h"

#include <algorithm>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// Some of the masks: bit n mod 64 of word n / 64 stands for mask n.
using Chosen = std::vector<std::uint64_t>;

/// Chooses slots and values one after the other, and keeps the masks that hold all of them.
class HoleSearch {
 public:
  HoleSearch(std::span<const MaskWords> masks, unsigned slots, unsigned strength,
             const std::function<void()>& between)
      : slots_(slots), between_(between), has_one_(slots), chosen_(strength + 1) {
    const std::size_t words = (masks.size() + 63) / 64;
    for (Chosen& each : has_one_) each.resize(words);
    for (Chosen& each : chosen_) each.resize(words);
    for (std::size_t n = 0; n < masks.size(); ++n) {
      chosen_[0][n / 64] |= std::uint64_t{1} << n % 64;
      for (unsigned slot = 0; slot < slots; ++slot) {
        const std::uint64_t bit = has_slot(masks[n], slot) ? 1 : 0;
        has_one_[slot][n / 64] |= bit << n % 64;
      }
    }
  }

  std::optional<Hole> find() {
    if (!finds_from(0, 0)) return {};
    return hole_;
  }

 private:
  /// Is there a hole that begins with the slots and values chosen so far, which are `depth`?
  bool finds_from(unsigned depth, unsigned from) {
    if (depth + 1 == chosen_.size())
      return std::ranges::all_of(chosen_[depth], [](std::uint64_t word) { return word == 0; });
    const auto left = static_cast<unsigned>(chosen_.size()) - 1 - depth;
    for (unsigned slot = from; slot + left <= slots_; ++slot)
      for (const bool value : {false, true}) {
        if (depth < 2 && between_) between_();
        for (std::size_t n = 0; n < has_one_[slot].size(); ++n)
          chosen_[depth + 1][n] = chosen_[depth][n] & (value ? has_one_[slot][n] : ~has_one_[slot][n]);
        if (!finds_from(depth + 1, slot + 1)) continue;
        hole_.slots.insert(hole_.slots.begin(), slot);
        hole_.values.insert(hole_.values.begin(), value);
        return true;
      }
    return false;
  }

  unsigned slots_;
  const std::function<void()>& between_;
  std::vector<Chosen> has_one_;  ///< for each slot the masks in which it is 1
  std::vector<Chosen> chosen_;   ///< for each depth the masks that hold what is chosen so far
  Hole hole_;
};

}  // namespace

MaskWords mask_met(const Program& program, std::size_t at) {
  MaskBits mask;
  const Readings& readings = default_readings(program.profile);
  for (std::size_t n = 0; n < at; ++n) mask.apply(program.instructions[n], readings);
  mask.load(program.instructions[at], readings);
  return {mask.words[1], mask.words[0]};
}

std::string describe(const Hole& hole) {
  std::string text = "no mask has";
  for (std::size_t n = 0; n < hole.slots.size(); ++n)
    text +=
        (n == 0 ? " slot " : ", slot ") + std::to_string(hole.slots[n]) + (hole.values[n] ? " = 1" : " = 0");
  return text;
}

std::optional<Hole> find_hole(std::span<const MaskWords> masks, unsigned slots, unsigned strength,
                              const std::function<void()>& between) {
  return HoleSearch(masks, slots, strength, between).find();
}

}  // namespace lanecheck
