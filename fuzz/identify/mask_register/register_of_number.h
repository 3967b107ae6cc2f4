// What stands in the mask register after an instruction that is given a number of elements, if the number is
// taken for something else.
#pragma once

#include <string>

#include "fuzz/identify/mask_register/register_probe.h"

namespace lanecheck {

/// "the lowest n slots of the mask register are 1, where n is the number that it is given, in normal mode".
/// It gives all slots that were observed; empty if nothing does, or if the subject is given no number.
std::string register_of_number(const Subject& subject, const std::vector<Observed>& seen);

}  // namespace lanecheck
