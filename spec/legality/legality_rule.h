// What makes a program illegal. Each rule is one object in one place: its claim, its source, the checks that
// say what is wrong, and the edge move that steps a legal program just inside or just outside of the rule.
//
// The rules stand by subject: types.cc, ranges.cc, strides.cc, masks.cc, mask_state.cc, places.cc,
// offsets.cc, overlap.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spec/legality/edge_subject.h"
#include "spec/mask/mask_register.h"
#include "spec/program/program.h"
#include "spec/program/source.h"

namespace lanecheck {

/// When a check is asked. A program is asked as a whole, then instruction after instruction; within an
/// instruction in this order. The first answer is the fault of the program.
enum class Stage : std::uint8_t {
  program,   ///< once, before the instructions
  types,     ///< the instruction, its element types and modes
  repeat,    ///< the repeat times as written
  strides,   ///< each operand: its strides as written
  settings,  ///< settings and lengths
  mask,      ///< the mask operand, and the mask that the instruction meets
  walk,      ///< from here on the mask operand is in the register and the repeat times are resolved
  place,     ///< each operand: where it starts and how far it reaches
  operands,  ///< all operands together
  overlap,   ///< each operand against dst
};
inline constexpr std::size_t kStages = 10;
constexpr bool is_asked_per_operand(Stage stage) {
  return stage == Stage::strides || stage == Stage::place || stage == Stage::overlap;
}

/// What a check looks at.
struct Site {
  const Program& program;
  std::span<const Instruction> instructions;  ///< of the program, or asked about in their place
  const Readings& readings;
  MaskBits mask{};  ///< the register before the instruction; from Stage::walk on, with its mask operand
  ResolvedInstruction here{};  ///< the instruction as written; from Stage::walk on with resolved repeat times
  unsigned k = 0;              ///< which operand, in the stages that ask for each operand

  const Instruction& insn() const { return here.insn; }
  const Row& row() const { return row_of(here.insn.op); }
  const Operand& operand() const { return here.insn.operands[k]; }
  const OperandColumn& column() const { return row().operands[k]; }
};

/// What is wrong and what is allowed, or nothing.
using Complaint = std::optional<std::string>;

struct Check {
  Stage stage{};
  Complaint (*ask)(const Site& site) = nullptr;
};

struct LegalityRule {
  unsigned position;  ///< the order of the rules in lists, in reports and for the edges that a seed draws
  std::string_view id;
  std::string_view kind;   ///< types, range, alignment, footprint, overlap, offsets, layout or state
  std::string_view claim;  ///< what is allowed, in our words
  Source source;
  ProfileSet profiles;  ///< where the rule holds; elsewhere it is not asked
  Check checks[3];      ///< mostly one; in one stage, checks are asked in the order of their rows
  EdgeMove edge = nullptr;

  /// Does the generator make programs at the edge of this rule?
  bool tried() const { return edge != nullptr; }
  bool holds_in(Profile profile) const { return profiles.contains(profile); }
};

/// Every rule, by position.
std::span<const LegalityRule> legality_rules();
const LegalityRule* find_legality_rule(std::string_view id);

}  // namespace lanecheck
