// The functions of easyasc.
#pragma once

#include <string>

#include "spec/program/program.h"

namespace lanecheck {

/// Why no function of easyasc is this instruction, in one sentence; "" if one is.
std::string easyasc_lacks(const Instruction& insn);

}  // namespace lanecheck
