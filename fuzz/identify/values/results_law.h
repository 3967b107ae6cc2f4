// One law that gives all results of a backend, as text.
#pragma once

#include <string>

namespace lanecheck {

struct ResultsLaw {
  std::string text;   ///< after the name of the instruction: "rounds halves up in mode round"
  std::string key{};  ///< the same for all instructions and types that share the mistake; empty: the text
  /// An infinity alone does not fit and becomes 0: a constant, or the lowest bits. The text says the
  /// constant.
  bool may_wrap = false;

  bool operator==(const ResultsLaw&) const = default;
};

/// The key of all mistakes that lose what does not fit into an f32 number.
inline constexpr const char* kThroughF32Key = "through f32, with 24 significant bits";

}  // namespace lanecheck
