// One instruction as data. Its row in the table (spec/program/instruction_table.h) describes it.
//
// Units: offsets and sizes in bytes, block stride and repeat stride in data blocks of 32 bytes
// (except the dst of a reduction, see Walk::results), repeat times in repeats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spec/program/instruction_table.h"

namespace lanecheck {

/// What the mask register means (SVM): bits for the lanes of every repeat, or in its low 32 bits the number
/// of elements of the whole computation.
enum class Mode : std::uint8_t { normal, counter };
inline constexpr std::string_view kModeNames[] = {"normal", "counter"};

/// Where an instruction takes its mask from. All except `reg` write the register before they compute
/// (asc-devkit, isSetMask).
enum class MaskFrom : std::uint8_t {
  reg,         ///< what stands in the register (isSetMask = false; every instruction of VMC)
  contiguous,  ///< the first `low` lanes of every repeat
  bitwise,     ///< bits `high` and `low`; in counter mode `low` is the total
  count,       ///< the first `low` elements: counter mode for this instruction alone
};
inline constexpr std::string_view kMaskFromNames[] = {"register", "contiguous", "bitwise", "count"};

inline constexpr unsigned kMaxOperands = 4;
inline constexpr unsigned kMaxSettings = 3;

/// One operand: a place in a named allocation.
struct Operand {
  std::uint16_t allocation = 0;     ///< index into Program::allocations
  std::uint32_t offset = 0;         ///< bytes from the start of the allocation
  std::uint32_t block_stride = 1;   ///< blocks; legal 0..65535
  std::uint32_t repeat_stride = 8;  ///< blocks (reductions' dst: results of one repeat); legal 0..65535

  bool operator==(const Operand&) const = default;
};

/// A scalar operand: the value as the caller gave it, and its bits in the element type.
/// For the float types bits == value rounded to the type; `value` is what a wide datapath would see.
struct Scalar {
  std::uint64_t bits = 0;
  double value = 0;

  /// A NaN is equal to itself.
  bool operator==(const Scalar& other) const {
    const bool both_nan = value != value && other.value != other.value;
    return bits == other.bits && (value == other.value || both_nan);
  }
};

struct Instruction {
  Op op = Op::reset_mask;
  Element dst_type = Element::f32;  ///< element type of dst; equal to src_type except in mixed forms
  Element src_type = Element::f32;
  Round round = Round::none;      ///< if Row::rounds
  Compare compare = Compare::eq;  ///< compare, compare_scalar
  std::uint32_t repeat = 1;       ///< repeat times; legal 0..255
  std::array<Operand, kMaxOperands> operands{};
  Scalar scalar{};                         ///< if takes_scalar()
  std::array<std::uint32_t, 2> lengths{};  ///< records in each queue, as many as Row::lengths says
  std::array<std::uint32_t, kMaxSettings> settings{};  ///< the values of Row::settings, in their order
  MaskFrom mask_from = MaskFrom::reg;
  bool scalar_repeat = false;       ///< TIK: repeat times given by a Scalar, not by an immediate
  std::uint64_t high = 0, low = 0;  ///< if Row::has_words, and of the mask operand

  bool operator==(const Instruction&) const = default;
};

/// The types of `insn` as its row offers them; null if the row does not offer them.
const TypePair* types_of(const Instruction& insn, Profile profile);
inline Element operand_type(const Instruction& insn, const OperandColumn& column) {
  switch (column.type) {
    case TypeOf::dst:
      return insn.dst_type;
    case TypeOf::src:
      return insn.src_type;
    case TypeOf::u8:
      return Element::u8;
    case TypeOf::u32:
      return Element::u32;
    case TypeOf::u64:
      break;
  }
  return Element::u64;
}

/// P of the forms whose LaneRule is not `types`: compare, whose dst is packed bits, counts by its source;
/// sort32 works on 32 records.
unsigned lanes_by_form(const Instruction& insn);
/// P: lanes of a full repeat. In most forms the wider of the two element types decides (VMC 3.1).
inline unsigned lanes_of(const Instruction& insn) {
  if (row_of(insn.op).lanes != LaneRule::types) return lanes_by_form(insn);
  return std::min(lanes_of(insn.dst_type), lanes_of(insn.src_type));
}

/// Result slots that one repeat of a reduction writes: one, one for each data block or for each pair of
/// lanes, or, for the extremes, one or two as their setting "order" says.
unsigned results_per_repeat(const Instruction& insn);

/// Repeats that `insn` performs: its repeat times, or 1 for the instructions without them.
inline unsigned repeats_of(const Instruction& insn) {
  return row_of(insn.op).has_repeat ? insn.repeat : 1;
}

/// The operand that byte offsets address, which stand in operand kOffsetsOperand; nothing if it has none.
inline std::optional<unsigned> indexed_operand(const Row& row) {
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].walk == Walk::indexed) return k;
  return {};
}
inline constexpr unsigned kOffsetsOperand = 2;
/// Bytes that one offset names: an element, or a data block.
inline unsigned bytes_per_offset(const Instruction& insn) {
  return row_of(insn.op).moves_blocks ? kBlockBytes : size_of(insn.dst_type);
}
inline unsigned offsets_per_repeat(const Instruction& insn) {
  return row_of(insn.op).moves_blocks ? kRepeatBlocks : lanes_of(insn);
}

/// Does the mask operand or the register have a say in `insn`: do its lanes follow the mask, or its repeats
/// the count of counter mode?
bool takes_mask(const Row& row);

/// The place of the setting called `name` in Instruction::settings; nothing if the row has no such setting.
std::optional<std::size_t> setting_index(const Row& row, std::string_view name);
/// The value of the setting called `name`; 0 if the row has no such setting.
std::uint32_t setting(const Instruction& insn, std::string_view name);

/// May dst accumulate over repeats through src1 (asc-devkit, general constraints)?
inline bool accumulates(const Instruction& insn) {
  const Element type = insn.dst_type;
  return row_of(insn.op).accumulates &&
         (type == Element::f16 || type == Element::f32 || type == Element::i32);
}

/// cast i32 -> f16 multiplies by a scale; no other cast takes a scalar.
inline bool takes_scalar(const Instruction& insn) {
  return row_of(insn.op).has_scalar ||
         (insn.op == Op::cast && insn.src_type == Element::i32 && insn.dst_type == Element::f16);
}

/// The element type that `insn.scalar.bits` is encoded in.
inline Element scalar_type(const Instruction& insn) {
  return insn.op == Op::dup || insn.op == Op::cast ? insn.dst_type : insn.src_type;
}

}  // namespace lanecheck
