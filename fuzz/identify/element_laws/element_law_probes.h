// Programs of one instruction each whose elements, scalars or results a law changes, among others.
#pragma once

#include <string>
#include <vector>

#include "fuzz/identify/element_laws/element_law.h"
#include "spec/program/profile.h"

namespace lanecheck {

struct ElementLawProbe {
  std::string name;  ///< of the instruction, with its types
  Op op;
  Element type;  ///< of what the law changes: of results, of elements of sources, or of the scalar
  std::vector<Program> programs;  ///< at least one shows the law
};

/// One for each instruction and types of the profile whose results the law changes.
std::vector<ElementLawProbe> element_law_probes(const ElementLaw& law, Profile profile,
                                                const Semantics& semantics);

}  // namespace lanecheck
