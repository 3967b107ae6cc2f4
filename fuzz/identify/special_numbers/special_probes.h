// Programs of one instruction each whose elements and results are special numbers of one kind, among others.
#pragma once

#include <string>
#include <vector>

#include "fuzz/identify/special_numbers/special_law.h"
#include "spec/program/profile.h"

namespace lanecheck {

struct SpecialProbe {
  std::string name;  ///< of the instruction, with its types
  Op op;
  Element result, source;
  std::vector<Program> programs;  ///< at least one shows the law
};

/// One for each instruction and types of the profile whose results the law changes.
std::vector<SpecialProbe> special_probes(const SpecialLaw& law, Profile profile, const Semantics& semantics);

}  // namespace lanecheck
