// Which other scalar an instruction could take in place of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/program/element.h"

namespace lanecheck {

struct ScalarChange {
  std::string text;  ///< "rounds its scalar to f16"
  std::function<std::uint64_t(std::uint64_t bits)> change;
};

/// Of scalars of `type`: rounded, cut, truncated, or read in another way. Several may have one text.
std::vector<ScalarChange> scalar_changes(Element type);

}  // namespace lanecheck
