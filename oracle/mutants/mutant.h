// Mutants: oracles that break a rule on purpose, each in a way in which simulators really break it. A mutant
// replaces a seam (oracle/execute/seams.h) or a fact of the semantics. The test suite must catch every
// mutant; blame tries them all against a backend's output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/execute/semantics.h"

namespace lanecheck {

struct Mutant {
  std::string id;                         ///< "cadd-keeps-dst"
  std::string what;                       ///< what such an implementation does, one clause
  std::vector<std::string_view> breaks;   ///< rule ids; the first of a profile is the one that names it
  std::function<void(Semantics&)> apply;  ///< edits the documented semantics
  std::optional<Op> only_in = {};         ///< the one instruction that it changes, if it changes only one

  /// Does it break a rule of this profile?
  bool exists_in(Profile profile) const;

  Semantics semantics(const Readings& readings) const {
    Semantics semantics(readings);
    apply(semantics);
    return semantics;
  }
};

std::span<const Mutant> mutants();
const Mutant* find_mutant(std::string_view id);

}  // namespace lanecheck
