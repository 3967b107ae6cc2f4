// The calls of Ascend C.
#pragma once

#include <string>

#include "spec/program/program.h"

namespace lanecheck {

/// One instruction as statements of Ascend C. Throws InputError if there is no call for it.
std::string ascendc_call(const Program& placed, const Instruction& insn);

}  // namespace lanecheck
