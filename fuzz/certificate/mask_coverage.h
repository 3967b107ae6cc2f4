// Checks that masks which were run cover: it counts on nothing that the construction of the masks says.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

/// The words of the mask that instruction `at` of `program` meets: its own mask, or what stands in the
/// register.
MaskWords mask_met(const Program& program, std::size_t at);

/// Values of some slots that stand together in none of the masks.
struct Hole {
  std::vector<unsigned> slots;  ///< ascending
  std::vector<bool> values;     ///< of these slots
};
/// "no mask has slot 3 = 1, slot 5 = 0".
std::string describe(const Hole& hole);

/// The first combination of values of `strength` of the first `slots` slots that none of `masks` holds.
/// Nothing if they hold every one. `between`, if there, is called often meanwhile, and may throw.
std::optional<Hole> find_hole(std::span<const MaskWords> masks, unsigned slots, unsigned strength,
                              const std::function<void()>& between = {});

}  // namespace lanecheck
