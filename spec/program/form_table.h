// The facts of each form: one row a form.
#pragma once

#include "spec/program/form.h"

namespace lanecheck {
namespace form_columns {

using enum Walk;

inline constexpr OperandColumn kDst = {"dst", blocks, TypeOf::dst};
inline constexpr OperandColumn kSrc = {"src", blocks, TypeOf::src};
inline constexpr OperandColumn kSrc0 = {"src0", blocks, TypeOf::src};
inline constexpr OperandColumn kSrc1 = {"src1", blocks, TypeOf::src};
inline constexpr OperandColumn kControlBits = {"control", bits, TypeOf::u8};
inline constexpr OperandColumn kBitsDst = {"dst", bits, TypeOf::u8};
inline constexpr OperandColumn kRecordsDst = {"dst", records, TypeOf::dst};
inline constexpr OperandColumn kPackedDst = {"dst", packed, TypeOf::dst};
inline constexpr OperandColumn kCount = {
    .role = "count", .walk = returned, .type = TypeOf::u64, .alignment = 8};

/// A queue of a merge starts at a record.
constexpr OperandColumn queue(std::string_view role) {
  return {.role = role, .walk = records, .type = TypeOf::src, .alignment = 8};
}
/// `per_repeat` elements in a row for each repeat; 0: as many as lanes.
constexpr OperandColumn in_a_row(std::string_view role, TypeOf type, std::uint8_t per_repeat = 0) {
  return {.role = role, .walk = elements, .type = type, .per_repeat = per_repeat};
}

inline constexpr unsigned kGetCmpMaskBytes = 128;  // asc-devkit, GetCmpMask: room that dst must have

inline constexpr std::array kUnary = {kDst, kSrc};
inline constexpr std::array kBinary = {kDst, kSrc0, kSrc1};
inline constexpr std::array kDstOnly = {kDst};
inline constexpr std::array kReduce = {OperandColumn{"dst", results, TypeOf::dst}, kSrc};
inline constexpr std::array kSelect = {kDst, kControlBits, kSrc0, kSrc1};
inline constexpr std::array kSelectScalar = {kDst, kControlBits, kSrc0};
inline constexpr std::array kSelectBits = {kDst, OperandColumn{"control", sixteen, TypeOf::u8}, kSrc0, kSrc1};
inline constexpr std::array kCompare = {kBitsDst, kSrc0, kSrc1};
inline constexpr std::array kCompareScalar = {kBitsDst, kSrc};
inline constexpr std::array kSources = {kSrc0, kSrc1};
inline constexpr std::array kSixteenBytes = {
    OperandColumn{.role = "src", .walk = sixteen, .type = TypeOf::u8, .alignment = 16}};
inline constexpr std::array kGetCmpMask = {OperandColumn{
    .role = "dst", .walk = elements, .type = TypeOf::u8, .per_repeat = kGetCmpMaskBytes, .alignment = 16}};
inline constexpr std::array kGather = {OperandColumn{"dst", rows, TypeOf::dst},
                                       OperandColumn{"src", indexed, TypeOf::src},
                                       in_a_row("offsets", TypeOf::u32)};
inline constexpr std::array kGatherBlocks = {kDst, OperandColumn{"src", indexed, TypeOf::src},
                                             in_a_row("offsets", TypeOf::u32, kRepeatBlocks)};
inline constexpr std::array kScatter = {OperandColumn{"dst", indexed, TypeOf::dst},
                                        OperandColumn{"src", rows, TypeOf::src},
                                        in_a_row("offsets", TypeOf::u32)};
inline constexpr std::array kSort = {kRecordsDst, in_a_row("src", TypeOf::src, 32),
                                     in_a_row("index", TypeOf::u32, 32)};
inline constexpr std::array kMerge4 = {kRecordsDst, queue("src")};
inline constexpr std::array kMerge2 = {kRecordsDst, queue("src0"), queue("src1")};
inline constexpr std::array kBrcb = {kDst, in_a_row("src", TypeOf::src, kRepeatBlocks)};
inline constexpr std::array kGatherFixed = {kPackedDst, kSrc0, kCount};
inline constexpr std::array kGatherUser = {kPackedDst, kSrc0, OperandColumn{"src1", pattern, TypeOf::u8},
                                           kCount};

inline constexpr std::uint32_t kAny = 0xffffffff;
inline constexpr SettingColumn kCounter = {"counter", 0, 1}, kMaskArgument = {"mask", 0, kAny};
inline constexpr std::array kLength = {SettingColumn{"len", 0, kAny}};
inline constexpr std::array kShiftBy = {SettingColumn{.name = "by", .least = 0, .most = 32, .usual = 1}};
inline constexpr std::array kOrder = {SettingColumn{"order", 0, 3}};
inline constexpr std::array kFixedPattern = {SettingColumn{"pattern", 1, 7}, kCounter, kMaskArgument};
inline constexpr std::array kUserPattern = {kCounter, kMaskArgument};
inline constexpr std::array kPad = {SettingColumn{"mode", 0, 2}, SettingColumn{"side", 0, 1}};

}  // namespace form_columns

inline constexpr auto kForms = [] {
  using namespace form_columns;
  using enum Form;
  return std::to_array<FormRow>({
      {.of = set_mask,
       .family = Family::moves,
       .mask = MaskUse::is_mask_state,
       .mask_operand = MaskOperand::none,
       .has_repeat = false,
       .has_words = true},
      {.of = reset_mask,
       .family = Family::moves,
       .mask = MaskUse::is_mask_state,
       .mask_operand = MaskOperand::none,
       .has_repeat = false},
      {.of = set_cmpmask,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kSixteenBytes,
       .has_repeat = false,
       .lanes = LaneRule::fixed,
       .fixed_lanes = 16,
       .compare_mask = CompareMaskUse::loads,
       .untyped_bytes = true},
      {.of = unary, .operands = kUnary, .strides = StrideFields::unary},
      {.of = binary, .operands = kBinary, .strides = StrideFields::binary},
      {.of = multiply_add, .operands = kBinary, .strides = StrideFields::binary, .reads_dst = true},
      {.of = scalar,
       .counts_in_tik = true,
       .operands = kUnary,
       .has_scalar = true,
       .strides = StrideFields::unary},
      {.of = axpy, .operands = kUnary, .has_scalar = true, .strides = StrideFields::unary, .reads_dst = true},
      {.of = dup,
       .operands = kDstOnly,
       .has_scalar = true,
       .strides = StrideFields::unary,
       .moves_bits = true},
      {.of = cast, .operands = kUnary, .strides = StrideFields::unary, .rounds = true},
      {.of = reduce_repeat,
       .family = Family::reductions,
       .mask = MaskUse::neutral_source,
       .mask_operand = MaskOperand::no_count,
       .operands = kReduce},
      {.of = reduce_block,
       .family = Family::reductions,
       .mask = MaskUse::neutral_source,
       .mask_operand = MaskOperand::no_count,
       .operands = kReduce,
       .results = ResultRule::per_block},
      {.of = reduce_pair,
       .family = Family::reductions,
       .mask = MaskUse::neutral_source,
       .mask_operand = MaskOperand::no_count,
       .operands = kReduce,
       .results = ResultRule::per_pair},
      {.of = select,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::own,
       .operands = kSelect,
       .strides = StrideFields::binary,
       .mask_after = &Readings::mask_after_select,
       .moves_bits = true},
      {.of = compare,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kCompare,
       .lanes = LaneRule::source,
       .strides = StrideFields::binary,
       .compares = true},
      {.of = compare_scalar,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kCompareScalar,
       .has_scalar = true,
       .lanes = LaneRule::source,
       .strides = StrideFields::unary,
       .compares = true},
      {.of = gather,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::own_no_count,
       .operands = kGather,
       .mask_after = &Readings::mask_after_gather,
       .moves_bits = true},
      {.of = scatter,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kScatter,
       .mask_after = &Readings::mask_after_gather,
       .moves_bits = true},
      {.of = sort32,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kSort,
       .lanes = LaneRule::fixed,
       .fixed_lanes = 32,
       .sorts = true},
      {.of = merge4,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kMerge4,
       .lengths = 1,
       .lanes = LaneRule::lengths},
      {.of = merge2,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kMerge2,
       .has_repeat = false,
       .lengths = 2,
       .lanes = LaneRule::lengths},
      {.of = brcb,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kBrcb,
       .mask_after = &Readings::mask_after_brcb,
       .moves_bits = true},
      {.of = select_number,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kSelectScalar,
       .has_scalar = true,
       .mask_after = &Readings::mask_after_select,
       .moves_bits = true},
      {.of = set_length,
       .family = Family::moves,
       .mask = MaskUse::is_mask_state,
       .mask_operand = MaskOperand::none,
       .settings = kLength,
       .has_repeat = false},
      {.of = set_mode,
       .family = Family::moves,
       .mask = MaskUse::is_mask_state,
       .mask_operand = MaskOperand::none,
       .has_repeat = false},
      {.of = shift, .operands = kUnary, .settings = kShiftBy, .strides = StrideFields::unary},
      {.of = reduce_extreme,
       .family = Family::reductions,
       .mask = MaskUse::neutral_source,
       .mask_operand = MaskOperand::no_count,
       .operands = kReduce,
       .settings = kOrder,
       .results = ResultRule::indexed},
      {.of = compare_cmpmask,
       .family = Family::comparisons,
       .mask_operand = MaskOperand::no_count,
       .operands = kSources,
       .has_repeat = false,
       .lanes = LaneRule::source,
       .strides = StrideFields::binary,
       .compare_mask = CompareMaskUse::writes,
       .compares = true},
      {.of = select_scalar,
       .family = Family::comparisons,
       .mask_operand = MaskOperand::own,
       .operands = kSelectScalar,
       .has_scalar = true,
       .strides = StrideFields::binary,
       .moves_bits = true},
      {.of = select_bits,
       .family = Family::comparisons,
       .mask_operand = MaskOperand::own_no_count,
       .operands = kSelectBits,
       .strides = StrideFields::binary,
       .compare_mask = CompareMaskUse::loads,
       .moves_bits = true},
      {.of = select_cmpmask,
       .family = Family::comparisons,
       .mask_operand = MaskOperand::reg_only,
       .operands = kBinary,
       .strides = StrideFields::binary,
       .compare_mask = CompareMaskUse::reads,
       .moves_bits = true},
      {.of = get_cmpmask,
       .family = Family::comparisons,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kGetCmpMask,
       .has_repeat = false,
       .lanes = LaneRule::fixed,
       .fixed_lanes = 128,
       .compare_mask = CompareMaskUse::reads,
       .untyped_bytes = true},
      {.of = gather_blocks,
       .family = Family::moves,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kGatherBlocks,
       .strides = StrideFields::gather_blocks,
       .mask_after = &Readings::mask_after_brcb,
       .moves_bits = true,
       .moves_blocks = true},
      {.of = gather_mask,
       .family = Family::gather_mask,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kGatherFixed,
       .settings = kFixedPattern,
       .lanes = LaneRule::counter,
       .strides = StrideFields::gather_mask,
       .compacts = true},
      {.of = gather_mask_user,
       .family = Family::gather_mask,
       .mask = MaskUse::ignores,
       .mask_operand = MaskOperand::none,
       .operands = kGatherUser,
       .settings = kUserPattern,
       .lanes = LaneRule::counter,
       .strides = StrideFields::gather_mask,
       .compacts = true},
      {.of = padding,
       .family = Family::padding,
       .operands = kUnary,
       .settings = kPad,
       .strides = StrideFields::unary,
       .moves_bits = true,
       .whole_blocks = true},
  });
}();

static_assert(
    [] {
      for (std::size_t n = 0; n < kForms.size(); ++n)
        if (kForms[n].of != static_cast<Form>(n)) return false;
      return kForms.size() == static_cast<std::size_t>(Form::padding) + 1;
    }(),
    "a row for each form, in the order of the enum");

constexpr const FormRow& row_of(Form form) {
  return kForms[static_cast<std::size_t>(form)];
}

}  // namespace lanecheck
