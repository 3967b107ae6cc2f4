// Which programs are legal under their profile: element types, ranges, alignment, footprint, overlap, and the
// state of the mask that an instruction meets. The rules are data (spec/legality/legality_rule.h).
//
// VMC states no ranges; they come from asc-devkit (general constraints, and the page of each instruction).
// What the documents leave open are the readings masked_tail, zero_mask and tik_overlap.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "spec/legality/legality_rule.h"
#include "spec/program/program.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct Fault {
  static constexpr std::size_t kWholeProgram = static_cast<std::size_t>(-1);

  std::size_t instruction;  ///< index, or kWholeProgram
  const LegalityRule* rule;
  std::string what;  ///< what is wrong, where, and what is allowed
};

/// The first fault of a program; nothing when it is legal.
std::optional<Fault> find_fault(const Program& program, const Readings& readings);
/// Under the readings of its profile.
std::optional<Fault> find_fault(const Program& program);

/// The greatest legal strides of operand `k`, in blocks: the fields of the API are bytes or words.
struct MostStrides {
  std::uint32_t block, repeat;
};
MostStrides most_strides(Profile profile, const Row& row, unsigned k);

/// "instruction 3 (add): ..." or "program: ...".
std::string describe(const Program& program, const Fault& fault);

}  // namespace lanecheck
