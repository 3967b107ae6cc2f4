// What a backend says it can run: rows of instruction, element types, profile and mask mode.
#pragma once

#include <string>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

/// One row of a handshake. An empty field means any.
struct Capability {
  std::string instruction, dst, src, profile, mode;
};

struct Capabilities {
  bool everything = true;  ///< no rows were given
  std::vector<Capability> rows;

  bool include(const Instruction& insn, Profile profile) const;
};

/// Leaves out what is not on offer. Any subsequence of a program is a program.
/// Returns the instructions that were left out.
std::vector<Instruction> restrict_to(const Capabilities& offers, Program& program);

}  // namespace lanecheck
