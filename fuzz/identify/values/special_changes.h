// What an implementation may make of special numbers where it reads or writes them: subnormal numbers become
// 0, a NaN becomes 0, and such.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "spec/program/element.h"

namespace lanecheck {

/// Another element in place of this one. Elements that are not special stay as they are.
using ElementChange = std::function<std::uint64_t(Element, std::uint64_t bits)>;

struct SpecialChange {
  std::string of, as;  ///< "subnormal numbers", "0"
  ElementChange change;
};

std::span<const SpecialChange> changes_of_subnormals();
/// Of infinities, NaN and -0.
std::span<const SpecialChange> changes_of_other_specials();

}  // namespace lanecheck
