// The programs of the certificate: one for each instruction and element types of a profile, to be run under
// many masks.
#pragma once

#include <string>
#include <vector>

#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

/// The instruction has 2 repeats if it takes repeat times, operands in a row, and decisive data
/// (fuzz/generate/data.h).
struct MaskedProgram {
  std::string name;  ///< "add.f16"
  Program program;
  std::size_t at = 0;  ///< where the instruction stands in the program
  /// So many slots of the mask can be set: 128, or in the profiles that take no more, those of its lanes.
  unsigned slots = 0;

  /// The program under this mask: the bitwise mask of the instruction, or if it has none, the register.
  Program under(MaskWords mask) const;
};

/// In the order of the instruction table. Left out are instructions that set the mask itself, and those that
/// write the compare mask register where no instruction shows it (set_cmpmask of vmc).
std::vector<MaskedProgram> masked_programs(Profile profile);

}  // namespace lanecheck
