// Asks a backend which of its instructions follow a law of elements.
#pragma once

#include <optional>

#include "fuzz/identify/element_laws/element_law.h"
#include "fuzz/identify/probes/probe.h"
#include "spec/program/profile.h"

namespace lanecheck {

struct MeasuredElementLaw {
  ElementLaw law;
  std::set<std::string> followers;  ///< the names of the instructions that show it
  std::set<std::string> spared;     ///< of those that could show it, and do not
  std::string sentence;             ///< without a full stop
  std::vector<Program> programs;    ///< those that were asked about of the followers

  bool gives(const Program& program, const Semantics& semantics, const State& actual, Shown shown) const {
    return lanecheck::gives(law, spared, program, semantics, actual, shown);
  }
};

/// Nothing if fewer than three instructions follow the law: then each has a cause of its own.
std::optional<MeasuredElementLaw> measure_element_law(const ElementLaw& law, Profile profile,
                                                      const Semantics& semantics, const Ask& ask,
                                                      Shown shown);

}  // namespace lanecheck
