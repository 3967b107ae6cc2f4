// The form of an instruction: which operands it has and how it walks them. FormRow holds what distinguishes
// one form from another, as facts that code asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "spec/program/element.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// A kind of instruction. The instructions of one form have the same operands and walk them in the same way.
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
  select_number,   ///< select with a number as its second source
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

/// How repeat after repeat moves through one operand. P: lanes of a full repeat (the lane domain).
enum class Walk : std::uint8_t {
  blocks,    ///< block b of repeat r at (r * repeat stride + b * block stride) * 32 bytes
  results,   ///< dst of a reduction: repeat r at r * repeat stride * (bytes of one repeat's results)
  bits,      ///< packed bits, P / 8 bytes per repeat, consecutive; element e is bit e mod 8 of byte e / 8
  elements,  ///< consecutive elements, `per_repeat` (or P if it is 0) of them per repeat
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
  std::uint8_t per_repeat = 0;           ///< elements per repeat, for Walk::elements
  std::uint8_t alignment = kBlockBytes;  ///< bytes; Walk::results: at most this, and one repeat's results
};

struct SettingColumn {
  std::string_view name;
  std::uint32_t least, most;  ///< legal values
  std::uint32_t usual = 0;    ///< a value that shows what the setting does; below `least`: `least` does
};

/// Which mask operands an instruction of Ascend C takes beside the register (asc-devkit; in other profiles
/// see mask_forms()).
enum class MaskOperand : std::uint8_t {
  any,           ///< contiguous, bitwise, or a count of elements
  no_count,      ///< contiguous or bitwise
  own,           ///< always one of the three: never the register
  own_no_count,  ///< always contiguous or bitwise
  reg_only,      ///< takes no mask operand; the register governs it
  none,          ///< takes no mask operand, and the register does not govern it
};

/// What decides P, the lanes of a full repeat.
enum class LaneRule : std::uint8_t {
  types,    ///< the wider of the two element types (VMC 3.1)
  source,   ///< the source type: dst is packed bits
  fixed,    ///< FormRow::fixed_lanes
  lengths,  ///< the records of all queues
  counter,  ///< the setting "mask" if the setting "counter" is 1, else the source type (GM)
};

/// Results that one repeat of a reduction writes.
enum class ResultRule : std::uint8_t {
  one,
  per_block,  ///< 8
  per_pair,   ///< P / 2
  indexed,    ///< the extreme, its index, or both: the setting "order"
};

/// What an instruction does with the compare mask register (asc-devkit).
enum class CompareMaskUse : std::uint8_t {
  none,
  loads,   ///< from a source operand
  writes,  ///< the lanes that the mask has on
  reads,
};

/// The fields in which Ascend C passes strides, by the struct that holds them.
enum class StrideFields : std::uint8_t {
  words,          ///< no struct: numbers of 16 bits
  unary,          ///< UnaryRepeatParams
  binary,         ///< BinaryRepeatParams
  gather_mask,    ///< GatherMaskParams
  gather_blocks,  ///< GatherRepeatParams
};

/// Instructions that are alike to a reader of a report or a benchmark.
enum class Family : std::uint8_t { any, elementwise, reductions, comparisons, moves, gather_mask, padding };
inline constexpr std::string_view kFamilyNames[] = {"any",   "elementwise", "reductions", "comparisons",
                                                    "moves", "gather_mask", "padding"};
inline constexpr std::size_t kFamilies = 7;

/// One form. The defaults are those of an elementwise instruction.
struct FormRow {
  Form of;
  Family family = Family::elementwise;
  MaskUse mask = MaskUse::gates_writeback;
  MaskOperand mask_operand = MaskOperand::any;
  bool counts_in_tik = false;  ///< TIK offers counter mode for it
  std::span<const OperandColumn> operands = {};
  std::span<const SettingColumn> settings = {};  ///< its own numbers beside strides and repeat times
  bool has_scalar = false;                       ///< takes a scalar of the source type (dup: of the dst type)
  bool has_repeat = true;                        ///< takes repeat times
  std::uint8_t lengths = 0;                      ///< how many of Instruction::lengths it takes
  LaneRule lanes = LaneRule::types;
  std::uint8_t fixed_lanes = 0;
  ResultRule results = ResultRule::one;
  StrideFields strides = StrideFields::words;
  CompareMaskUse compare_mask = CompareMaskUse::none;
  MaskAfter Readings::*mask_after = nullptr;  ///< the reading that says what stays in the mask register
  bool has_words = false;                     ///< takes two words of a mask, high and low, as its data
  bool compares = false;                      ///< has a comparison (Instruction::compare)
  bool untyped_bytes = false;  ///< its operand is bytes without an element type, so its name shows no type
  bool rounds = false;         ///< has a round mode (Instruction::round)
  bool reads_dst = false;      ///< the result depends on the old dst also in active lanes
  bool moves_bits =
      false;  ///< results are elements of the sources, bit for bit (gather_mask: see `compacts`)
  bool moves_blocks = false;  ///< an offset names a data block, not an element
  bool compacts = false;      ///< packs the kept elements of all repeats without gaps (GM)
  bool sorts = false;         ///< works on 32 records a repeat
  bool whole_blocks = false;  ///< reads whole data blocks, also if only part of one takes part (VP)
};

}  // namespace lanecheck
