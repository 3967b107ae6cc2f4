// The parts of the list of mutants that have a file of their own.
#pragma once

#include "oracle/mutants/mutant.h"

namespace lanecheck {

void add_mask_forms(std::vector<Mutant>& forms);  ///< wrong_forms_masks.cc
void add_call_forms(std::vector<Mutant>& forms);  ///< wrong_forms_calls.cc

}  // namespace lanecheck
