// Blame, derived from the output: which reading or mutant makes the oracle leave what the backend left?
#pragma once

#include <string>
#include <vector>

#include "oracle/compare/compare.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {

/// Something that the backend may believe.
struct Hypothesis {
  std::string id;                    ///< "empty_pair=keeps_dst", "cadd-keeps-dst"
  const Reading* reading = nullptr;  ///< a reading with one of its other options, or
  const Option* option = nullptr;
  const Profile* elsewhere = nullptr;  ///< the profile settles the reading; this other one reads it so
  const Mutant* wrong = nullptr;       ///< a mutant
  Semantics semantics;
  bool pinned = false;  ///< the user pinned the reading to another option

  /// Is a backend that believes it wrong in this profile?
  bool is_wrong() const { return wrong != nullptr || elsewhere != nullptr || pinned; }
};

/// Every option of every reading that `profile` leaves open and departs from `base`, those of pinned readings
/// last; then every mutant of a rule of the profile; then what other profiles say where this one has
/// settled a reading.
std::vector<Hypothesis> hypotheses(Profile profile, const Readings& base,
                                   const std::vector<std::string>& pinned);

/// The hypotheses under which the oracle allows `actual`. Readings alone, when a reading explains it.
std::vector<const Hypothesis*> blame(const std::vector<Hypothesis>& all, const Program& program,
                                     const State& actual, Shown shown);

bool explains(const Hypothesis& hypothesis, const Program& program, const State& actual, Shown shown);

}  // namespace lanecheck
