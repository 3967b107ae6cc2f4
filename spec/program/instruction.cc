#include "spec/program/instruction.h"

#include <algorithm>

namespace lanecheck {
namespace {

using enum Element;

constexpr TypePair same(Element type) {
  return {type, type};
}

// Which types VMC's simulator computes on is not said; section 1 names float, int32, half, int16, int8 and
// uint8 as those with an active prefix, so arithmetic offers these. u16, u32, i64, u64 and bf16 come in
// where moving or casting is all that happens to an element. A backend skips what it does not offer.
constexpr std::array<TypePair, 0> kNoTypes{};
constexpr TypeList absent{};
constexpr std::array kCompareMask = {same(u8)};
constexpr std::array kHalfAndFloat = {same(f16), same(f32)};
constexpr std::array kSigned = {same(f16), same(f32), same(i8), same(i16), same(i32)};
constexpr std::array kArithmetic = {same(f16), same(f32), same(i8), same(u8), same(i16), same(i32)};
constexpr std::array kLogic = {same(i8), same(u8), same(i16), same(u16), same(i32), same(u32)};
constexpr std::array kMultiplyAdd = {same(f16), same(f32), TypePair{f32, f16}};
constexpr std::array kNumeric = {same(f16), same(f32), same(i16), same(i32)};
constexpr std::array kCompare = {TypePair{u8, f16}, TypePair{u8, f32}, TypePair{u8, i16}, TypePair{u8, i32}};
constexpr std::array kMoved = {same(f16), same(bf16), same(f32), same(i16), same(u16), same(i32), same(u32)};
constexpr std::array kEveryType = {same(f16), same(bf16), same(f32), same(i8),  same(u8), same(i16),
                                   same(u16), same(i32),  same(u32), same(i64), same(u64)};

// asc-devkit, tables of types for Atlas A2 (the page of each instruction).
constexpr std::array kA2Relu = {same(f16), same(f32), same(i32)};
constexpr std::array kA2Logic = {same(i16), same(u16)};
constexpr std::array kShift = {same(i16), same(u16), same(i32), same(u32)};
constexpr auto kOnlyEqual = static_cast<std::uint8_t>(1u << static_cast<unsigned>(Compare::eq));
constexpr std::array kA2Compare = {TypePair{u8, f16}, TypePair{u8, f32}, TypePair{u8, i32, kOnlyEqual}};
constexpr std::array kCmpCompare = {TypePair{u8, f16}, TypePair{u8, f32}};
constexpr std::array kBlockMoved = {same(u16), same(u32)};
// VP and the GatherMask page for Atlas inference products; TIK's vec_dup.
constexpr std::array kPadded = {same(i16), same(u16), same(f16), same(i32), same(u32), same(f32)};
// SetVectorMask only asks how wide the operands are that follow.
constexpr std::array kMaskTypes = {same(f16), same(f32), same(i64)};

constexpr std::uint8_t rounds(std::initializer_list<Round> modes) {
  std::uint8_t bits = 0;
  for (const Round mode : modes) bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(mode));
  return bits;
}
constexpr auto kExact = rounds({Round::none});
constexpr auto kFive = rounds({Round::rint, Round::floor, Round::ceil, Round::round, Round::trunc});
constexpr auto kSix = static_cast<std::uint8_t>(kFive | kExact);

// asc-devkit, Cast: pairs and round modes on Atlas A2, without the int4 ones (int4 is no element type here).
constexpr std::array kCastPairs = {
    TypePair{f16, i8, kExact},   TypePair{f16, u8, kExact},
    TypePair{f16, i16, kSix},    TypePair{f32, i16, kExact},
    TypePair{i8, f16, kSix},     TypePair{u8, f16, kSix},
    TypePair{i16, f16, kFive},   TypePair{i32, f16, kFive},
    TypePair{f32, f16, kExact},  TypePair{i32, bf16, kFive},
    TypePair{f32, bf16, kExact}, TypePair{i16, i32, kExact},
    TypePair{f16, i32, kExact},  TypePair{f32, i32, kSix},
    TypePair{i64, i32, kExact},  TypePair{f16, f32, static_cast<std::uint8_t>(kSix | rounds({Round::odd}))},
    TypePair{bf16, f32, kFive},  TypePair{i16, f32, kFive},
    TypePair{i32, f32, kFive},   TypePair{i64, f32, kFive},
    TypePair{f32, f32, kFive},   TypePair{i32, i64, kExact},
    TypePair{f32, i64, kFive},
};

using enum Walk;
constexpr OperandColumn kDst = {"dst", blocks, TypeOf::dst};
constexpr OperandColumn kSrc = {"src", blocks, TypeOf::src};
constexpr OperandColumn kSrc0 = {"src0", blocks, TypeOf::src};
constexpr OperandColumn kSrc1 = {"src1", blocks, TypeOf::src};
constexpr OperandColumn kReduced = {"dst", results, TypeOf::dst};
constexpr OperandColumn kOffsets = {"offsets", elements, TypeOf::u32};
constexpr OperandColumn kRecordsDst = {"dst", records, TypeOf::dst};

constexpr std::array kTakesSixteen = {OperandColumn{"src", sixteen, TypeOf::u8}};
constexpr std::array kTakesUnary = {kDst, kSrc};
constexpr std::array kTakesBinary = {kDst, kSrc0, kSrc1};
constexpr std::array kTakesDst = {kDst};
constexpr std::array kTakesReduce = {kReduced, kSrc};
constexpr std::array kTakesSelect = {kDst, OperandColumn{"control", bits, TypeOf::u8}, kSrc0, kSrc1};
constexpr std::array kTakesCompare = {OperandColumn{"dst", bits, TypeOf::u8}, kSrc0, kSrc1};
constexpr std::array kTakesCompareScalar = {OperandColumn{"dst", bits, TypeOf::u8}, kSrc};
constexpr std::array kTakesGather = {OperandColumn{"dst", rows, TypeOf::dst},
                                     OperandColumn{"src", indexed, TypeOf::src}, kOffsets};
constexpr std::array kTakesScatter = {OperandColumn{"dst", indexed, TypeOf::dst},
                                      OperandColumn{"src", rows, TypeOf::src}, kOffsets};
constexpr std::array kTakesSort = {kRecordsDst, OperandColumn{"src", elements, TypeOf::src, 32},
                                   OperandColumn{"index", elements, TypeOf::u32, 32}};
constexpr std::array kTakesMerge4 = {kRecordsDst, OperandColumn{"src", records, TypeOf::src}};
constexpr std::array kTakesMerge2 = {kRecordsDst, OperandColumn{"src0", records, TypeOf::src},
                                     OperandColumn{"src1", records, TypeOf::src}};
constexpr OperandColumn kCount = {"count", returned, TypeOf::u64};
constexpr OperandColumn kControlBits = {"control", bits, TypeOf::u8};
constexpr std::array kTakesSources = {kSrc0, kSrc1};
constexpr std::array kTakesSelectScalar = {kDst, kControlBits, kSrc0};
constexpr std::array kTakesSelectBits = {kDst, OperandColumn{"control", sixteen, TypeOf::u8}, kSrc0, kSrc1};
constexpr unsigned kGetCmpMaskBytes = 128;  // asc-devkit, GetCmpMask: room that dst must have
constexpr std::array kTakesGetCmpMask = {OperandColumn{"dst", elements, TypeOf::u8, kGetCmpMaskBytes}};
constexpr std::array kTakesGatherBlocks = {kDst, OperandColumn{"src", indexed, TypeOf::src},
                                           OperandColumn{"offsets", elements, TypeOf::u32, kRepeatBlocks}};
constexpr OperandColumn kPacked = {"dst", packed, TypeOf::dst};
constexpr std::array kTakesGatherMask = {kPacked, kSrc0, kCount};
constexpr std::array kTakesGatherUser = {kPacked, kSrc0, OperandColumn{"src1", pattern, TypeOf::u8}, kCount};

constexpr std::uint32_t kAny = 0xffffffff;
constexpr std::array kLength = {SettingColumn{"len", 0, kAny}};
constexpr std::array kShiftBy = {SettingColumn{"by", 0, 32}};
constexpr std::array kOrder = {SettingColumn{"order", 0, 3}};
constexpr std::array kGatherFixed = {SettingColumn{"pattern", 1, 7}, SettingColumn{"counter", 0, 1},
                                     SettingColumn{"mask", 0, kAny}};
constexpr std::array kGatherUser = {SettingColumn{"counter", 0, 1}, SettingColumn{"mask", 0, kAny}};
constexpr std::array kPad = {SettingColumn{"mode", 0, 2}, SettingColumn{"side", 0, 1}};

constexpr std::array kTakesBrcb = {kDst, OperandColumn{"src", elements, TypeOf::src, kRepeatBlocks}};

struct FormColumns {
  std::span<const OperandColumn> operands;
  bool has_scalar = false, has_repeat = true;
  std::uint8_t lengths = 0;
  std::span<const SettingColumn> settings = {};
};

constexpr FormColumns columns_of(Form form) {
  switch (form) {
    case Form::set_mask:
    case Form::reset_mask:
      return {{}, false, false};
    case Form::set_cmpmask:
      return {kTakesSixteen, false, false};
    case Form::unary:
    case Form::cast:
      return {kTakesUnary};
    case Form::scalar:
    case Form::axpy:
      return {kTakesUnary, true};
    case Form::binary:
    case Form::multiply_add:
      return {kTakesBinary};
    case Form::dup:
      return {kTakesDst, true};
    case Form::reduce_repeat:
    case Form::reduce_block:
    case Form::reduce_pair:
      return {kTakesReduce};
    case Form::select:
      return {kTakesSelect};
    case Form::compare:
      return {kTakesCompare};
    case Form::compare_scalar:
      return {kTakesCompareScalar, true};
    case Form::gather:
      return {kTakesGather};
    case Form::scatter:
      return {kTakesScatter};
    case Form::sort32:
      return {kTakesSort};
    case Form::merge4:
      return {kTakesMerge4, false, true, 1};
    case Form::merge2:
      return {kTakesMerge2, false, false, 2};
    case Form::brcb:
      return {kTakesBrcb};
    case Form::set_length:
      return {{}, false, false, 0, kLength};
    case Form::set_mode:
      return {{}, false, false};
    case Form::shift:
      return {kTakesUnary, false, true, 0, kShiftBy};
    case Form::reduce_extreme:
      return {kTakesReduce, false, true, 0, kOrder};
    case Form::compare_cmpmask:
      return {kTakesSources, false, false};
    case Form::select_scalar:
      return {kTakesSelectScalar, true};
    case Form::select_bits:
      return {kTakesSelectBits};
    case Form::select_cmpmask:
      return {kTakesBinary};
    case Form::get_cmpmask:
      return {kTakesGetCmpMask, false, false};
    case Form::gather_blocks:
      return {kTakesGatherBlocks};
    case Form::gather_mask:
      return {kTakesGatherMask, false, true, 0, kGatherFixed};
    case Form::gather_mask_user:
      return {kTakesGatherUser, false, true, 0, kGatherUser};
    case Form::padding:
      return {kTakesUnary, false, true, 0, kPad};
  }
  return {};
}

constexpr bool counts_by_type(Form form) {
  switch (form) {
    case Form::compare:
    case Form::compare_scalar:
    case Form::compare_cmpmask:
    case Form::get_cmpmask:
    case Form::gather_mask:
    case Form::gather_mask_user:
    case Form::sort32:
    case Form::merge4:
    case Form::merge2:
    case Form::set_cmpmask:
      return false;
    default:
      return true;
  }
}

constexpr Row with_columns(Row row) {
  const FormColumns columns = columns_of(row.form);
  row.operands = columns.operands;
  row.has_scalar = columns.has_scalar;
  row.has_repeat = columns.has_repeat;
  row.lengths = columns.lengths;
  row.settings = columns.settings;
  row.counts_by_type = counts_by_type(row.form);
  return row;
}

template <class List>
constexpr TypeList on_offer(const List& list) {
  if constexpr (std::is_same_v<List, TypeList>)
    return list;
  else
    return {true, list};
}

// clang-format off
constexpr Row kRows[] = {
#define INSTRUCTION(name, form, mask, neutral, meaning, tolerance, data, scalar, in_place, vmc, a2, p310, \
                    tik, operand, api, standing, section)                                                  \
  with_columns({Op::name, #name, Form::form, MaskUse::mask, Neutral::neutral, Tolerance::tolerance,        \
                SourceData::data, scalar, InPlace::in_place,                                               \
                {on_offer(vmc), on_offer(a2), on_offer(p310), on_offer(tik)}, MaskOperand::operand, api,   \
                Standing::standing, section, {}, {}, {}, {}, {}, {}}),
#include "spec/program/instructions.def"
#undef INSTRUCTION
};
// clang-format on

}  // namespace

bool Row::typed() const {
  return std::ranges::any_of(types, [](const TypeList& list) { return !list.pairs.empty(); });
}

std::span<const Row> instruction_table() {
  return kRows;
}

const Row* const kFirstRow = kRows;

const Row* find_row(std::string_view name) {
  const auto* row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? nullptr : row;
}

const TypePair* types_of(const Instruction& insn, Profile profile) {
  for (const TypePair& pair : row_of(insn.op).in(profile).pairs)
    if (pair.dst == insn.dst_type && pair.src == insn.src_type) return &pair;
  return nullptr;
}

unsigned lanes_by_form(const Instruction& insn) {
  switch (row_of(insn.op).form) {
    case Form::compare:
    case Form::compare_scalar:
    case Form::compare_cmpmask:
      return lanes_of(insn.src_type);
    case Form::get_cmpmask:
      return 128;
    case Form::gather_mask:
    case Form::gather_mask_user:
      return setting(insn, "counter") != 0 ? setting(insn, "mask") : lanes_of(insn.src_type);
    case Form::sort32:
      return 32;
    case Form::merge4:
      return 4 * insn.lengths[0];
    case Form::merge2:
      return insn.lengths[0] + insn.lengths[1];
    case Form::set_cmpmask:
      return 16;
    default:
      return std::min(lanes_of(insn.dst_type), lanes_of(insn.src_type));
  }
}

unsigned results_per_repeat(const Instruction& insn) {
  switch (row_of(insn.op).form) {
    case Form::reduce_extreme:
      return setting(insn, "order") < 2 ? 2 : 1;
    case Form::reduce_block:
      return kRepeatBlocks;
    case Form::reduce_pair:
      return lanes_of(insn) / 2;
    default:
      return 1;
  }
}

bool takes_mask(const Row& row) {
  return row.mask == MaskUse::gates_writeback || row.mask == MaskUse::neutral_source ||
         row.mask_operand == MaskOperand::own;
}

std::uint32_t setting(const Instruction& insn, std::string_view name) {
  const auto& columns = row_of(insn.op).settings;
  for (unsigned n = 0; n < columns.size(); ++n)
    if (columns[n].name == name) return insn.settings[n];
  return 0;
}

}  // namespace lanecheck
