// The first fault of a program: which rule of legality it breaks under its profile, where, and how.
//
// VMC states no ranges; they come from asc-devkit (general constraints, and the page of each instruction).
// What the documents leave open are the readings masked_tail, zero_mask, equal_offsets,
// counter_high_word_range and tik_overlap.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "spec/legality/legality_rule.h"

namespace lanecheck {

struct Fault {
  static constexpr std::size_t kWholeProgram = static_cast<std::size_t>(-1);

  std::size_t instruction;  ///< index, or kWholeProgram
  const LegalityRule* rule;
  std::string what;  ///< what is wrong, where, and what is allowed
};

/// The first fault of a program; nothing if it is legal.
std::optional<Fault> find_fault(const Program& program, const Readings& readings);
/// The first fault under the readings of the program's own profile.
std::optional<Fault> find_fault(const Program& program);
/// The same, if `instructions` stood in the program in place of its own.
std::optional<Fault> find_fault(const Program& program, std::span<const Instruction> instructions,
                                const Readings& readings);

/// May an instruction use a register that has no lane on? (LAW-register-open)
bool may_meet_empty_register(Profile profile);

/// "instruction 3 (add): ..." or "program: ...".
std::string describe(const Program& program, const Fault& fault);

}  // namespace lanecheck
