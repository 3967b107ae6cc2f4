// What the rules of legality and the generator ask about the form of an instruction.
#pragma once

#include <optional>

#include "spec/program/instruction.h"

namespace lanecheck {

/// Writes the elements that a pattern keeps in a row (gather_mask).
inline bool compacts(const Row& row) {
  return !row.operands.empty() && row.operands[0].walk == Walk::packed;
}
inline bool reads_dst(const Row& row) {
  return row.form == Form::multiply_add || row.form == Form::axpy;
}
inline bool pads(const Row& row) {
  return row.form == Form::padding;
}
/// The operand that offsets address.
inline std::optional<unsigned> indexed_operand(const Row& row) {
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].walk == Walk::indexed) return k;
  return {};
}
/// The operand that holds these offsets.
inline constexpr unsigned kOffsetsOperand = 2;
/// What one offset fetches or stores: an element, or a data block (gatherb).
inline bool moves_blocks(const Row& row) {
  return row.form == Form::gather_blocks;
}

}  // namespace lanecheck
