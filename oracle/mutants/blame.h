// Hypotheses about the cause of a divergence: the readings and mutants that may make the oracle leave what
// the backend left.
#pragma once

#include <string>
#include <vector>

#include "oracle/compare/compare.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {

/// One way in which a backend may differ from the oracle: an option of a reading, or a mutant.
struct Hypothesis {
  std::string id;                    ///< "empty_pair=keeps_dst", "cadd-keeps-dst"
  const Reading* reading = nullptr;  ///< the reading; null for a mutant
  const Option* option = nullptr;    ///< the option of `reading`, which is not the chosen one
  const Profile* elsewhere =
      nullptr;  ///< another profile that chooses this option, if the run's profile settles the reading
  const Mutant* wrong = nullptr;  ///< the mutant; null for a reading
  Semantics semantics;
  bool pinned = false;  ///< the user pinned the reading to another option

  /// Is a backend wrong in the run's profile if it differs in this way?
  bool is_wrong() const { return wrong != nullptr || elsewhere != nullptr || pinned; }
};

/// Every option of every reading that `profile` leaves open and departs from `base`, those of pinned readings
/// last; then every mutant of a rule of the profile; then what other profiles say where this one has
/// settled a reading.
std::vector<Hypothesis> hypotheses(Profile profile, const Readings& base,
                                   const std::vector<std::string>& pinned);

/// Does the oracle allow `actual` under the hypothesis?
bool explains(const Hypothesis& hypothesis, const Program& program, const State& actual, Shown shown);

}  // namespace lanecheck
