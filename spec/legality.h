// Which programs are legal: element types, ranges, alignment, footprint, overlap.
//
// VMC states no ranges; they come from asc-devkit (general constraints, and the page of each instruction),
// and hold for every profile. What the documents leave open is the reading `masked_tail`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "spec/program.h"
#include "spec/reading.h"

namespace lanecheck {

struct Fault {
  static constexpr std::size_t kWholeProgram = static_cast<std::size_t>(-1);

  std::size_t instruction;  ///< index, or kWholeProgram
  std::string_view kind;    ///< "types", "range", "alignment", "footprint", "overlap", "offsets", "layout"
  std::string what;         ///< what is wrong, where, and what is allowed
};

/// The first fault of a program; nothing when it is legal.
std::optional<Fault> find_fault(const Program& program, const Readings& readings = {});

/// "instruction 3 (add): ..." or "program: ...".
std::string describe(const Program& program, const Fault& fault);

}  // namespace lanecheck
