// One instruction as data, and the row of the table (spec/program/instructions.def) that describes it.
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

#include "spec/program/element.h"

namespace lanecheck {

enum class Op : std::uint8_t {
#define INSTRUCTION(name, ...) name,
#include "spec/program/instructions.def"
#undef INSTRUCTION
};

/// How an instruction walks its operands. Each form has one executor, which does the masking.
enum class Form : std::uint8_t {
  set_mask,
  reset_mask,
  set_cmpmask,
  unary,
  binary,
  multiply_add,
  scalar,
  axpy,
  dup,
  cast,
  reduce_repeat,
  reduce_block,
  reduce_pair,
  select,
  compare,
  compare_scalar,
  gather,
  scatter,
  sort32,
  merge4,
  merge2,
  brcb,
  set_length,      ///< SetVectorMask with a length: contiguous lanes, or the total of counter mode
  set_mode,        ///< SetMaskNorm, SetMaskCount
  shift,           ///< shl, shr: the amount is a setting
  reduce_extreme,  ///< the extreme of a repeat with its index
  compare_cmpmask,
  select_scalar,
  select_bits,
  select_cmpmask,
  get_cmpmask,
  gather_blocks,
  gather_mask,
  gather_mask_user,
  padding,
};

/// What a mask slot of 0 does.
enum class MaskUse : std::uint8_t {
  gates_writeback,  ///< the element keeps its old dst (VMC 3.1)
  neutral_source,   ///< the source element reads as the neutral element (VMC 3.2, 3.3)
  ignores,          ///< nothing (VMC 4)
  is_mask_state,    ///< the instruction sets the mask itself (VMC 2)
};

/// What the mask register means (SVM): bits for the lanes of every repeat, or in its low 32 bits the number
/// of elements of the whole computation.
enum class Mode : std::uint8_t { normal, counter };
inline constexpr std::string_view kModeNames[] = {"normal", "counter"};

/// Where an instruction takes its mask from. All but `reg` write the register before they compute
/// (asc-devkit, isSetMask).
enum class MaskFrom : std::uint8_t {
  reg,         ///< what stands in the register (isSetMask = false; every instruction of VMC)
  contiguous,  ///< the first `low` lanes of every repeat
  bitwise,     ///< bits `high` and `low`; in counter mode `low` is the total
  count,       ///< the first `low` elements: counter mode for this instruction alone
};
inline constexpr std::string_view kMaskFromNames[] = {"register", "contiguous", "bitwise", "count"};

/// Which of these an instruction of Ascend C takes; TIK: see mask_forms().
enum class MaskOperand : std::uint8_t {
  none,      ///< no mask operand
  any,       ///< all four
  no_count,  ///< no form for the first n elements
  own,       ///< always its own: never the register
  reg_only,  ///< no mask operand, but the register governs it
};

/// What a masked-off source element of a reduction reads as.
enum class Neutral : std::uint8_t { none, zero, lowest, highest };

/// How far a result may be from the correctly rounded one (asc-devkit pages of Exp, Ln, Sqrt, Reciprocal,
/// Rsqrt).
enum class Tolerance : std::uint8_t {
  exact,
  one_ulp,
  estimate,  ///< relative 2^-8: 8 ULP in f16, 65536 in f32
  sum,       ///< any order of addition, unless the reading sum_order is pinned
};

/// Source data that makes a result decisive (fuzz/generate/data.h holds the values).
enum class SourceData : std::uint8_t {
  none,
  positive,  ///< small, even and odd in turn
  negative,  ///< small and odd, alternating in bit 1
  both,      ///< first source positive, second negative
  below,     ///< negative, all different within a repeat
  above,     ///< positive, all different within a repeat
  any_bits,  ///< random bytes
};
enum class InPlace : bool { no, yes };

enum class Standing : std::uint8_t { documented, contested, undecided, deprecated };
inline constexpr std::string_view kStandingNames[] = {"documented", "contested", "undecided", "deprecated"};

enum class Round : std::uint8_t { none, rint, floor, ceil, round, trunc, odd };
inline constexpr std::string_view kRoundNames[] = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
inline constexpr std::string_view kCompareNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};

/// How repeat after repeat moves through one operand. P: lanes of a full repeat (the lane domain).
enum class Walk : std::uint8_t {
  blocks,    ///< block b of repeat r at (r * repeat stride + b * block stride) * 32 bytes
  results,   ///< dst of a reduction: repeat r at r * repeat stride * (bytes of one repeat's results)
  bits,      ///< packed bits, P / 8 bytes per repeat, consecutive; element e is bit e mod 8 of byte e / 8
  elements,  ///< consecutive elements, `per_repeat` (or P where 0) of them per repeat
  rows,      ///< dst of gather, src of scatter: 8 consecutive blocks, repeat r at r * repeat stride * 32
  indexed,   ///< addressed by byte offsets held in another operand
  records,   ///< 8-byte (score, index) records of sort32 and the merges
  sixteen,   ///< 16 bytes, once
  pattern,   ///< user patterns of gather_mask: a bit for each element, repeat r at r * repeat stride * 32
  packed,    ///< dst of gather_mask: kept elements in a row
  returned,  ///< 8 bytes: a value that the call returns, kept in UB where programs can show it
};

/// Which element type an operand has: one of the instruction's two, or a fixed one.
enum class TypeOf : std::uint8_t { dst, src, u8, u32, u64 };

struct OperandColumn {
  std::string_view role;  ///< "dst", "src", "src0", "control", ...
  Walk walk;
  TypeOf type;
  std::uint8_t per_repeat = 0;  ///< for Walk::elements
};

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

  bool operator==(const Scalar&) const = default;
};

struct Instruction {
  Op op = Op::reset_mask;
  Element dst_type = Element::f32;  ///< element type of dst; equal to src_type except in mixed forms
  Element src_type = Element::f32;
  Round round = Round::none;      ///< cast
  Compare compare = Compare::eq;  ///< compare, compare_scalar
  std::uint32_t repeat = 1;       ///< repeat times; legal 0..255
  std::array<Operand, kMaxOperands> operands{};
  Scalar scalar{};                         ///< adds ... axpy, dup, compare_scalar; cast i32 -> f16: deq scale
  std::array<std::uint32_t, 2> lengths{};  ///< records per queue (mergesort4: [0]; mergesort_2seq: both)
  std::array<std::uint32_t, kMaxSettings> settings{};  ///< as Row::settings names them
  MaskFrom mask_from = MaskFrom::reg;
  bool scalar_repeat = false;       ///< TIK: repeat times given by a Scalar, not by an immediate
  std::uint64_t high = 0, low = 0;  ///< set_mask, set_vector_mask, and the mask operand

  bool operator==(const Instruction&) const = default;
};

struct TypePair {
  Element dst, src;
  std::uint8_t modes = 0;  ///< bit i set when Round(i) (casts) or Compare(i) is on offer

  bool operator==(const TypePair&) const = default;
};

/// The types of an instruction in one profile.
struct TypeList {
  bool offered = false;
  std::span<const TypePair> pairs;  ///< empty for an instruction without element types
};

/// The contracts under which the one machine is used (spec/program/profile.h).
enum class Profile : std::uint8_t { vmc, a2, p310, tik };
inline constexpr std::size_t kProfiles = 4;

struct SettingColumn {
  std::string_view name;
  std::uint32_t least, most;  ///< legal values
};

/// A row of the table, with the columns that its form implies.
struct Row {
  Op op;
  std::string_view name;
  Form form;
  MaskUse mask;
  Neutral neutral;
  Tolerance tolerance;
  SourceData data;
  int scalar;
  InPlace in_place;
  std::array<TypeList, kProfiles> types;  ///< by Profile
  MaskOperand mask_operand;
  std::string_view api;  ///< what Ascend C (TIK) calls it
  Standing standing;
  std::string_view section;
  std::span<const OperandColumn> operands;
  std::span<const SettingColumn> settings;
  bool has_scalar;       ///< takes a scalar of the source type (dup: of the dst type)
  bool has_repeat;       ///< takes repeat times
  std::uint8_t lengths;  ///< how many of Instruction::lengths it takes
  bool counts_by_type;   ///< lanes of a repeat follow from the element types

  const TypeList& in(Profile profile) const { return types[static_cast<std::size_t>(profile)]; }
  bool typed() const;  ///< takes element types
};

std::span<const Row> instruction_table();
extern const Row* const kFirstRow;
inline const Row& row_of(Op op) {
  return kFirstRow[static_cast<std::size_t>(op)];
}
const Row* find_row(std::string_view name);

/// The types of `insn` as its row offers them; null when the row does not.
const TypePair* types_of(const Instruction& insn, Profile profile);
inline Element operand_type(const Instruction& insn, const OperandColumn& column) {
  const Element types[] = {insn.dst_type, insn.src_type, Element::u8, Element::u32,
                           Element::u64};  // by TypeOf
  return types[static_cast<std::size_t>(column.type)];
}

/// P: lanes of a full repeat. The wider of the data operands decides (VMC 3.1); compare, whose dst is
/// packed bits, counts by its source; the sorts work on 32 records, brcb on 8 elements.
unsigned lanes_by_form(const Instruction& insn);  ///< of forms that do not count by their element types
inline unsigned lanes_of(const Instruction& insn) {
  if (!row_of(insn.op).counts_by_type) return lanes_by_form(insn);
  return std::min(lanes_of(insn.dst_type), lanes_of(insn.src_type));
}

/// Result slots that one repeat of a reduction writes: 1, 8 or P / 2.
unsigned results_per_repeat(const Instruction& insn);

/// Repeats that `insn` performs: its repeat times, or 1 for the instructions without them.
inline unsigned repeats_of(const Instruction& insn) {
  return row_of(insn.op).has_repeat ? insn.repeat : 1;
}

/// Compares that leave packed bits or the compare mask: named by their source type.
inline bool compares(Form form) {
  return form == Form::compare || form == Form::compare_scalar || form == Form::compare_cmpmask;
}

/// Does the mask operand or the register have a say in `insn`: do its lanes follow the mask, or its repeats
/// the count of counter mode?
bool takes_mask(const Row& row);

/// The setting called `name`, which the row has.
std::uint32_t setting(const Instruction& insn, std::string_view name);

/// cast i32 -> f16 multiplies by a scale; no other cast takes a scalar.
inline bool takes_scalar(const Instruction& insn) {
  return row_of(insn.op).has_scalar ||
         (insn.op == Op::cast && insn.src_type == Element::i32 && insn.dst_type == Element::f16);
}

/// The element type that `i.scalar.bits` is encoded in.
inline Element scalar_type(const Instruction& insn) {
  return insn.op == Op::dup || insn.op == Op::cast ? insn.dst_type : insn.src_type;
}

}  // namespace lanecheck
